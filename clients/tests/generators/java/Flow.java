import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.File;
import java.util.List;
import org.openapitools.client.ApiClient;
import org.openapitools.client.ApiException;
import org.openapitools.client.api.FilesApi;
import org.openapitools.client.api.OrganizationsApi;
import org.openapitools.client.api.SessionsApi;
import org.openapitools.client.model.BadRequest;
import org.openapitools.client.model.ErrorResponse;
import org.openapitools.client.model.FieldError;
import org.openapitools.client.model.LoginInput;
import org.openapitools.client.model.OrganizationInput;

/** The flow of clients/README.md with the client that OpenAPI Generator makes for Java (native). */
public class Flow {
  private interface Call {
    Object run() throws ApiException;
  }

  public static void main(String[] args) throws Exception {
    String password = System.getenv("ROSTER_PASSWORD");
    ApiClient client = new ApiClient();
    client.updateBaseUri(System.getenv("ROSTER"));
    ObjectMapper json = client.getObjectMapper();
    LoginInput login = new LoginInput().username("admin").password(password);
    String token = new SessionsApi(client).createSession(login).getData().getAccessToken();
    client.setRequestInterceptor(request -> request.header("Authorization", "Bearer " + token));
    OrganizationsApi organizations = new OrganizationsApi(client);
    FilesApi files = new FilesApi(client);

    String id = organizations.createOrganization(input("Java & Sons")).getData().getId();
    var query = OrganizationsApi.APIListOrganizationsRequest.newBuilder().q("java & s").build();
    var list = organizations.listOrganizations(query);
    expect(list.getData().size() == 1 && list.getData().get(0).getId().equals(id), "the list: " + list);

    var read = organizations.getOrganizationWithHttpInfo(id, null, null);
    String etag = read.getHeaders().get("etag").get(0);
    expect(error(() -> organizations.getOrganization(id, null, etag)).getCode() == 304, "If-None-Match");

    OrganizationInput body = json.convertValue(read.getData(), OrganizationInput.class).description("We make nets.");
    var updated = organizations.updateOrganization(id, body, etag, null).getData();
    expect(updated.getDescription().equals("We make nets.") && updated.getManagerIds().size() == 1, "the update: " + updated);
    ApiException changed = error(() -> organizations.updateOrganization(id, body, etag, null));
    expect(changed.getCode() == 412, "If-Match: " + changed);
    expect(json.readValue(changed.getResponseBody(), ErrorResponse.class).getCode() == 1600, "the code of a 412");

    ApiException refused = error(() -> organizations.createOrganization(input(" ")));
    BadRequest invalid = json.readValue(refused.getResponseBody(), BadRequest.class);
    List<FieldError> fields = json.convertValue(invalid.getMessage(), new TypeReference<>() {});
    expect(invalid.getCode() == 1024 && fields.get(0).getCode() == 5622, "the field errors: " + invalid);

    var file = files.createFile(new File(System.getenv("ROSTER_IMAGE"))).getData();
    expect(file.getContentType().getValue().equals("image/png"), "the upload: " + file);
    files.deleteFile(file.getId(), null, null);
    organizations.deleteOrganization(id, null, null);
  }

  private static OrganizationInput input(String name) {
    return new OrganizationInput().name(name).url("https://java.example");
  }

  private static ApiException error(Call call) {
    try {
      call.run();
    } catch (ApiException exception) {
      return exception;
    }
    throw new AssertionError("there was no error");
  }

  private static void expect(boolean ok, String what) {
    if (!ok) throw new AssertionError(what);
  }
}
