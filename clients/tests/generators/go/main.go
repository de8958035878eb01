// The flow of clients/README.md with the client that OpenAPI Generator makes for Go.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"

	"example.com/flow/roster"
)

func main() {
	configuration := roster.NewConfiguration()
	configuration.Servers = roster.ServerConfigurations{{URL: os.Getenv("ROSTER")}}
	client := roster.NewAPIClient(configuration)

	login := roster.NewLoginInput(os.Getenv("ROSTER_PASSWORD"))
	login.SetUsername("admin")
	session, _, err := client.SessionsAPI.CreateSession(context.Background()).LoginInput(*login).Execute()
	check(err)
	account := context.WithValue(context.Background(), roster.ContextAccessToken, session.Data.AccessToken)
	api := client.OrganizationsAPI

	created, _, err := api.CreateOrganization(account).OrganizationInput(*input("Go & Sons")).Execute()
	check(err)
	list, _, err := api.ListOrganizations(account).Q("go & s").Execute()
	check(err)
	expect(len(list.Data) == 1 && list.Data[0].Id == created.Data.Id, "the list", list)

	read, response, err := api.GetOrganization(account, created.Data.Id).Execute()
	check(err)
	etag := response.Header.Get("ETag")
	_, response, _ = api.GetOrganization(account, read.Id).IfNoneMatch(etag).Execute()
	expect(response.StatusCode == http.StatusNotModified, "If-None-Match", response.Status)

	var body roster.OrganizationInput
	convert(read, &body)
	body.SetDescription("We make nets.")
	updated, _, err := api.UpdateOrganization(account, read.Id).OrganizationInput(body).IfMatch(etag).Execute()
	check(err)
	expect(updated.Data.Description == "We make nets." && len(updated.Data.ManagerIds) == 1, "the update", updated)
	_, response, err = api.UpdateOrganization(account, read.Id).OrganizationInput(body).IfMatch(etag).Execute()
	conflict, isError := modelOf(err).(roster.ErrorResponse)
	expect(response.StatusCode == http.StatusPreconditionFailed && isError && conflict.Code == 1600, "If-Match", err)

	_, _, err = api.CreateOrganization(account).OrganizationInput(*input(" ")).Execute()
	invalid, _ := modelOf(err).(roster.BadRequest)
	var fields []roster.FieldError
	convert(invalid.Message, &fields)
	expect(invalid.Code == 1024 && fields[0].Code == 5622 && fields[0].Title == "name", "the field errors", err)

	image, err := os.Open(os.Getenv("ROSTER_IMAGE"))
	check(err)
	file, _, err := client.FilesAPI.CreateFile(account).File(image).Execute()
	check(err)
	expect(file.Data.ContentType == "image/png", "the upload", file)
	_, err = client.FilesAPI.DeleteFile(account, file.Data.Id).Execute()
	check(err)
	_, err = api.DeleteOrganization(account, read.Id).Execute()
	check(err)
}

func input(name string) *roster.OrganizationInput {
	body := roster.NewOrganizationInput(name)
	body.SetUrl("https://go.example")
	return body
}

func modelOf(err error) any {
	if failed, ok := err.(*roster.GenericOpenAPIError); ok {
		return failed.Model()
	}
	return nil
}

// A value of one type as one of another, by way of JSON.
func convert(from any, to any) {
	text, err := json.Marshal(from)
	check(err)
	check(json.Unmarshal(text, to))
}

func check(err error) {
	if failed, ok := err.(*roster.GenericOpenAPIError); ok {
		panic(fmt.Sprint(err, " ", string(failed.Body())))
	}
	if err != nil {
		panic(err)
	}
}

func expect(ok bool, what string, got any) {
	if !ok {
		panic(fmt.Sprintf("%s: %+v", what, got))
	}
}
