"""An OpenAPI document as people read it: sections of operations, each with what it takes and answers. Pure."""

import json
import re
from dataclasses import dataclass

from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe
from django.utils.text import slugify

_MARKS = ((re.compile(r"\*\*(.+?)\*\*"), r"<strong>\1</strong>"), (re.compile(r"`(.+?)`"), r"<code>\1</code>"))
VERBS = {"get": "GET", "post": "POST", "put": "PUT", "patch": "PATCH", "delete": "DELETE"}
# What stands in an example for a part of an address.
EXAMPLES = {"slug": "my-event", "id": "12", "session_id": "12"}


@dataclass(frozen=True, slots=True)
class Line:
    """A parameter or a field: its name, what it holds, whether it must be there, and words."""

    name: str
    kind: str
    is_required: bool
    words: str


@dataclass(frozen=True, slots=True)
class Operation:
    anchor: str
    method: str
    path: str
    words: str
    needs_token: bool
    parameters: list[Line]
    fields: list[Line]
    answers: list[tuple[str, str]]
    curl: str


@dataclass(frozen=True, slots=True)
class Section:
    """All operations on one kind of thing, and the fields of an answer."""

    name: str
    operations: list[Operation]
    fields: list[Line]


def read_sections(document: dict, site: str) -> list[Section]:
    """Return the sections of `document` in the order of its addresses; `site` stands in the examples."""
    schemas = document["components"]["schemas"]
    sections: dict[str, Section] = {}
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            (tag,) = operation["tags"]
            section = sections.setdefault(tag, Section(tag, [], []))
            section.operations.append(_read_operation(site, path, method, operation, schemas))
            if not section.fields:
                section.fields.extend(_read_fields(_find_answer(operation), schemas))
    return list(sections.values())


def read_paragraphs(text: str) -> list[SafeString]:
    """Return the paragraphs of a text of ours with its bold words and code as HTML."""
    paragraphs = []
    for paragraph in text.strip().split("\n\n"):
        html = escape(" ".join(paragraph.split()))
        for pattern, markup in _MARKS:
            html = pattern.sub(markup, html)
        paragraphs.append(mark_safe(html))  # noqa: S308
    return paragraphs


def _read_operation(site: str, path: str, method: str, operation: dict, schemas: dict) -> Operation:
    content = operation.get("requestBody", {}).get("content", {})
    media_type, body = next(iter(content.items()), ("", {}))
    fields = _read_fields(body.get("schema", {}), schemas)
    return Operation(
        anchor=slugify(operation["operationId"]),
        method=VERBS[method],
        path=path,
        words=operation.get("description", ""),
        needs_token={} not in operation["security"],
        parameters=[
            Line(p["name"], say_kind(p["schema"], schemas), p.get("required", False), p.get("description", ""))
            for p in operation.get("parameters", [])
            if p["in"] != "path"
        ],
        fields=fields,
        answers=[(code, answer["description"] or "Done.") for code, answer in operation["responses"].items()],
        curl=_write_curl(site + path, VERBS[method], operation, media_type, fields),
    )


def _find_answer(operation: dict) -> dict:
    content = operation["responses"].get("200", {}).get("content", {})
    return content.get("application/json", {}).get("schema", {})


def _resolve(schema: dict, schemas: dict) -> dict:
    while "$ref" in schema:
        schema = schemas[schema["$ref"].rpartition("/")[2]]
    return schema


def _read_fields(schema: dict, schemas: dict) -> list[Line]:
    """Return the fields of an object, of the rows of a list, or of the rows of a page of a list."""
    schema = _resolve(schema, schemas)
    if "results" in schema.get("properties", {}):
        schema = _resolve(schema["properties"]["results"]["items"], schemas)
    return [
        Line(name, say_kind(field, schemas), name in schema.get("required", ()), field.get("description", ""))
        for name, field in schema.get("properties", {}).items()
    ]


def say_kind(schema: dict, schemas: dict) -> str:
    """Return in words what a value may be: "text", "number or null", "list of {id, role}"."""
    for combined in ("oneOf", "anyOf", "allOf"):
        if combined in schema:
            return " or ".join(dict.fromkeys(say_kind(part, schemas) for part in schema[combined]))
    if "$ref" in schema:
        known = _resolve(schema, schemas)
        return say_kind(known, schemas) if "enum" in known else f"{{{', '.join(known['properties'])}}}"
    if "enum" in schema:
        return ", ".join("empty" if value == "" else str(value) for value in schema["enum"])
    kinds = schema.get("type", "any")
    kinds = kinds if isinstance(kinds, list) else [kinds]
    return " or ".join(_say_type(kind, schema, schemas) for kind in kinds)


def _say_type(kind: str, schema: dict, schemas: dict) -> str:
    if kind == "array":
        return f"list of {say_kind(schema['items'], schemas)}"
    if kind == "string":
        return {"date-time": "time", "date": "date", "uri": "address", "binary": "file", "uuid": "UUID"}.get(
            schema.get("format", ""), "text"
        )
    return {"integer": "number", "boolean": "true or false"}.get(kind, kind)


def _write_curl(url: str, method: str, operation: dict, media_type: str, fields: list[Line]) -> str:
    """Return a command to try."""
    parts = ["curl"] + ([f"-X {method}"] if method != "GET" else [])
    if {} not in operation["security"]:
        parts.append("-H 'Authorization: Bearer TOKEN'")
    if any(p["name"] == "If-Match" for p in operation.get("parameters", ())):
        parts.append("""-H 'If-Match: "ETAG"'""")
    if media_type == "multipart/form-data":
        parts.append(f"-F {'files' if any(field.name == 'files' for field in fields) else 'file'}=@FILE")
    elif fields:
        name = next((field.name for field in fields if field.name in ("title", "name", "note")), fields[0].name)
        parts += ["-H 'Content-Type: application/json'", f"-d '{json.dumps({name: '…'}, ensure_ascii=False)}'"]
    return " ".join(parts) + f" '{url.format(**EXAMPLES)}'"
