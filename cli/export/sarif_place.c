// SPDX-License-Identifier: GPL-2.0-only
/*
 * See sarif_place.h. Files below the folder in which the program ran are named relative to it,
 * so that a code host finds them in the repository.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "export/sarif_place.h"
#include "out.h"

#define BASE	"RUN_FOLDER"

/* A path as part of a URI: only what RFC 3986 allows there stands for itself. */
static char *uri_of(const char *scheme, const char *path, const char *end)
{
	char *uri = cli_alloc(strlen(scheme) + 3 * strlen(path) + strlen(end) + 1, 1);
	char *to = stpcpy(uri, scheme);

	for (; *path; path++) {
		unsigned char c = *path;

		if (c < 0x80 && (isalnum(c) || strchr("/-._~", c)))
			*to++ = c;
		else
			to += sprintf(to, "%%%02X", c);
	}
	strcpy(to, end);
	return uri;
}

static struct json_object *artifact(const struct export *x, const char *path)
{
	struct json_object *o = json_object_new_object();
	const char *cwd = x->r->trace->cwd;
	size_t n = cwd ? strlen(cwd) : 0;
	char *uri;

	while (!strncmp(path, "./", 2))
		path += 2;
	if (n > 1 && !strncmp(path, cwd, n) && path[n] == '/')
		path += n + 1;
	uri = uri_of(*path == '/' ? "file://" : "", path, "");
	out_json_string(o, "uri", uri);
	if (*path != '/' && n)
		out_json_string(o, "uriBaseId", BASE);
	free(uri);
	return o;
}

/* The path of the source file as far as it is known; else of the file with the code. malloc'ed */
static char *path_of(const struct export *x, const struct place *at)
{
	const char *program = x->r->trace->program;

	if (at->file)
		return *at->file == '/' || !at->directory ? cli_printf("%s", at->file) :
		       cli_printf("%s/%s", at->directory, at->file);
	return cli_printf("%s", at->module ? at->module :
			  program && *program ? program : "program");
}

struct json_object *sarif_bases(const struct export *x)
{
	struct json_object *o = json_object_new_object(), *base = json_object_new_object();
	const char *cwd = x->r->trace->cwd;
	char *uri;

	if (!cwd || *cwd != '/') {
		json_object_put(base);
		return o;
	}
	uri = uri_of("file://", cwd, cwd[1] ? "/" : "");
	out_json_string(base, "uri", uri);
	json_object_object_add(o, BASE, base);
	free(uri);
	return o;
}

struct json_object *sarif_location(const struct export *x, const struct place *at,
				   const char *text)
{
	struct json_object *o = json_object_new_object(), *physical = json_object_new_object();
	struct json_object *region, *list, *logical, *message = json_object_new_object();
	char *path = path_of(x, at);

	json_object_object_add(physical, "artifactLocation", artifact(x, path));
	free(path);
	if (at->file && at->line > 0) {
		region = json_object_new_object();
		out_json_int(region, "startLine", at->line);
		json_object_object_add(physical, "region", region);
	}
	json_object_object_add(o, "physicalLocation", physical);
	if (at->function) {
		list = json_object_new_array();
		logical = json_object_new_object();
		out_json_string(logical, "name", at->function);
		out_json_string(logical, "kind", "function");
		json_object_array_add(list, logical);
		json_object_object_add(o, "logicalLocations", list);
	}
	out_json_string(message, "text", text);
	json_object_object_add(o, "message", message);
	return o;
}
