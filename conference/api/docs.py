"""The API's description: for programs as OpenAPI 3.1, for people as a page of it, without a script."""

from functools import cache

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import override
from django.views.decorators.http import require_safe
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.renderers import OpenApiJsonRenderer
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from conference.api.describing import FAULT, FAULTS, FIELD_FAULTS, INTRODUCTION
from conference.api.errors import AlwaysJson
from conference.api.reading import read_paragraphs, read_sections


@cache
def build_document() -> dict:
    """Return the OpenAPI document. It follows from the code alone."""
    with override("en"):
        document = SchemaGenerator().get_schema(request=None, public=True)
    document["info"]["description"] = INTRODUCTION
    document["components"]["schemas"] |= {"Fault": FAULT, "FieldFaults": FIELD_FAULTS}
    return document


class Schema(APIView):
    """The document that clients and tests read."""

    schema = None
    renderer_classes = (OpenApiJsonRenderer,)
    content_negotiation_class = AlwaysJson

    def get(self, request: Request) -> Response:
        return Response(build_document())


@require_safe
def docs(request: HttpRequest) -> HttpResponse:
    """The document as a page."""
    document = build_document()
    context = {
        "introduction": read_paragraphs(document["info"]["description"]),
        "sections": read_sections(document, request.build_absolute_uri("/").rstrip("/")),
        "faults": FAULTS,
    }
    return render(request, "api/docs.html", context)
