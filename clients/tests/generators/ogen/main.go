// The flow of clients/README.md with the client that ogen makes. Its responses are types by themselves.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	"example.com/flow/roster"
	"github.com/ogen-go/ogen/http"
)

type token struct{ value string }

func (one token) Bearer(context.Context, roster.OperationName) (roster.Bearer, error) {
	return roster.Bearer{Token: one.value}, nil
}

func main() {
	ctx := context.Background()
	nobody := must(roster.NewClient(os.Getenv("ROSTER"), token{}))
	login := &roster.LoginInput{Username: roster.NewOptNilString("admin"), Password: os.Getenv("ROSTER_PASSWORD")}
	session := must(nobody.CreateSession(ctx, login)).(*roster.CreatedSessionResultHeaders)
	client := must(roster.NewClient(os.Getenv("ROSTER"), token{session.Response.Data.AccessToken}))

	create := func(name string) roster.CreateOrganizationRes {
		url := roster.NewOptNilString("https://ogen.example")
		return must(client.CreateOrganization(ctx, &roster.OrganizationInput{Name: name, URL: url}))
	}
	id := create("Ogen & Sons").(*roster.OrganizationResultHeaders).Response.Data.ID
	query := roster.ListOrganizationsParams{Q: roster.NewOptString("ogen & s")}
	list := must(client.ListOrganizations(ctx, query)).(*roster.OrganizationListHeaders).Response.Data
	expect(len(list) == 1 && list[0].ID == id, "the list", list)

	read := must(client.GetOrganization(ctx, roster.GetOrganizationParams{ID: id})).(*roster.OrganizationHeaders)
	params := roster.GetOrganizationParams{ID: id, IfNoneMatch: roster.NewOptString(read.ETag)}
	again := must(client.GetOrganization(ctx, params))
	_, unchanged := again.(*roster.GetOrganizationNotModified)
	expect(unchanged, "If-None-Match", again)

	var body roster.OrganizationInput
	check(body.UnmarshalJSON(must(read.Response.MarshalJSON())))
	body.Description = roster.NewOptNilString("We make nets.")
	update := func() roster.UpdateOrganizationRes {
		params := roster.UpdateOrganizationParams{ID: id, IfMatch: roster.NewOptString(read.ETag)}
		return must(client.UpdateOrganization(ctx, &body, params))
	}
	updated := update().(*roster.UpdateOrganizationOKHeaders).Response.Data
	expect(updated.Description == "We make nets." && len(updated.ManagerIds) == 1, "the update", updated)
	conflict := update().(*roster.PreconditionFailedHeaders)
	expect(conflict.Response.Code == 1600, "If-Match", conflict)

	invalid := create(" ").(*roster.InvalidContentHeaders).Response
	var fields []struct{ Title string; Code int32; Detail string }
	check(json.Unmarshal(invalid.Message, &fields))
	expect(invalid.Code == 1024 && fields[0].Code == 5622 && fields[0].Title == "name", "the field errors", invalid)

	image := must(os.Open(os.Getenv("ROSTER_IMAGE")))
	upload := http.MultipartFile{Name: filepath.Base(image.Name()), File: image}
	file := must(client.CreateFile(ctx, &roster.CreateFileReq{File: upload})).(*roster.UploadedFileResultHeaders).Response.Data
	expect(file.ContentType == "image/png", "the upload", file)
	_, deleted := must(client.DeleteFile(ctx, roster.DeleteFileParams{ID: file.ID})).(*roster.DeleteFileNoContent)
	expect(deleted, "the deletion of the File", file)
	_, deleted = must(client.DeleteOrganization(ctx, roster.DeleteOrganizationParams{ID: id})).(*roster.DeleteOrganizationNoContent)
	expect(deleted, "the deletion of the Organization", id)
}

func must[T any](value T, err error) T {
	check(err)
	return value
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}

func expect(ok bool, what string, got any) {
	if !ok {
		panic(fmt.Sprintf("%s: %+v", what, got))
	}
}
