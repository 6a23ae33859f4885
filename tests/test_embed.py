"""List and grid in a frame of the sites that the organiser names, and of no others."""

import pytest

from tests.factories import make_event, make_session

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("path", ["embed/", "embed/grid/"])
def test_only_the_sites_named_may_show_the_frame(client, path):
    event = make_event(slug="reef", embed_origins="https://a.example\n\nhttp://b.example:8080")
    make_session(event, "Ropes", "2030-05-06 09:00")
    response = client.get(f"/reef/{path}")
    policy = response.headers["Content-Security-Policy"]
    assert policy.endswith("; frame-ancestors https://a.example http://b.example:8080")
    assert "X-Frame-Options" not in response.headers
    html = response.content.decode()
    assert [part in html for part in ("Ropes", '<base target="_blank">', "masthead", 'class="tabs"')] == [
        True,
        True,
        False,
        False,
    ]


@pytest.mark.parametrize("path", ["", "embed/", "embed/grid/", "speakers/"])
def test_nobody_may_frame_what_was_not_opened(client, path):
    make_event(slug="reef", embed_origins="" if path else "https://a.example")
    response = client.get(f"/reef/{path}")
    assert response.headers["Content-Security-Policy"].endswith("; frame-ancestors 'none'")
    assert response.headers["X-Frame-Options"] == "DENY"


def test_a_frame_takes_the_same_filters_and_zone(client):
    event = make_event(slug="reef")
    make_session(event, "Ropes", "2030-05-06 09:00", kind="keynote")
    make_session(event, "Knots", "2030-05-06 09:00")
    html = client.get("/reef/embed/?kind=keynote&tz=Asia/Tokyo").content.decode()
    assert [title in html for title in ("Ropes", "Knots", "16:00")] == [True, False, True]
    assert 'action="/reef/embed/"' in html


@pytest.mark.parametrize(
    "line", ["example.org", "https://a.example/path", "https://a.example; script-src *", "*", "javascript:alert(1)"]
)
def test_what_is_no_site_is_refused(line):
    with pytest.raises(Exception, match="is not the address of a site"):
        make_event(embed_origins=line)


@pytest.mark.parametrize("path", ["embed/", "embed/grid/"])
def test_a_frame_that_is_asked_for_again_stays_open(client, settings, path):
    settings.KEEPS_PAGES = True
    make_event(slug="reef", embed_origins="https://a.example")
    etag = client.get(f"/reef/{path}").headers["ETag"]
    again = client.get(f"/reef/{path}", headers={"If-None-Match": etag})
    # What 304 says of frames replaces, in the browser, what the page said.
    told = {"Content-Security-Policy", "X-Frame-Options"} & again.headers.keys()
    assert (again.status_code, told) == (304, set())
