"""Personal schedules on the server, for whoever takes theirs along. Nothing in them says whose they are."""

from collections.abc import Mapping
from datetime import UTC, date, datetime, timedelta

from django.db import models, transaction
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from conference.models import Event
from schedule.personal.merging import Mark, merge_marks
from schedule.personal.tokens import FEED, SHARE, derive, hash_token, is_token, make_secret

KEPT_AFTER_EVENT = timedelta(days=90)


class PersonalScheduleQuerySet(models.QuerySet):
    def of(self, event: Event):
        return self.filter(event=event)

    def behind(self, token: str, door: str = "secret"):
        """The one list that `token` opens by this door ("secret", "feed", "share"), if there is any."""
        return self.filter(**{f"{door}_hash": hash_token(token)}) if is_token(token) else self.none()

    def unused(self, today: date):
        """Lists whose event ended 90 days ago or more, and which nobody has opened for as long."""
        limit = today - KEPT_AFTER_EVENT
        return self.filter(event__end_date__lte=limit, used_on__lte=limit)


class PersonalSchedule(models.Model):
    """One list of stars, known by hashes of its secret and of the two tokens derived from it."""

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="personal_schedules")
    secret_hash = models.CharField(max_length=64, unique=True)
    feed_hash = models.CharField(max_length=64, unique=True)
    share_hash = models.CharField(max_length=64, unique=True)
    owner_name = models.CharField(_("name"), max_length=60, blank=True)
    version = models.PositiveIntegerField(default=0)
    used_on = models.DateField()

    objects = PersonalScheduleQuerySet.as_manager()

    class Meta:
        verbose_name = _("personal schedule")
        verbose_name_plural = _("personal schedules")

    def __str__(self) -> str:
        return f"{self.event} #{self.pk}"

    @classmethod
    def start(cls, event: Event, today: date) -> tuple["PersonalSchedule", str]:
        """Return a new, empty list of `event` and its secret, which is nowhere else."""
        secret = make_secret()
        return cls.objects.create(event=event, used_on=today, **_hashes(secret)), secret

    def renew(self) -> str:
        """Close all doors and open new ones; return the new secret."""
        secret = make_secret()
        for name, value in _hashes(secret).items():
            setattr(self, name, value)
        self.save(update_fields=_hashes(secret).keys())
        return secret

    def touch(self, today: date) -> None:
        """Note that it is in use, at most once a day."""
        if self.used_on != today:
            self.used_on = today
            self.save(update_fields=["used_on"])

    def touch_by_calendar(self, today: date) -> None:
        """Note that a calendar reads it. Calendars ask for ever: later than this after the event nobody looks."""
        if today <= self.event.end_date + KEPT_AFTER_EVENT:
            self.touch(today)

    @property
    def marks(self) -> dict[str, Mark]:
        """Every decision, by session uid."""
        return {str(star.session_uid): Mark(star.is_starred, star.changed_at) for star in self.stars.all()}

    @property
    def starred_uids(self) -> list[str]:
        return [uid for uid, mark in self.marks.items() if mark.is_starred]

    def apply(self, told: Mapping[str, Mark], titles: Mapping[str, str]) -> int:
        """Merge `told` into the list; return how many decisions were news. Safe with others who do the same at once.

        `titles` are those of the event's sessions by uid; what is neither in them nor in the list is left out.
        """
        with transaction.atomic():
            # The row is the lock: on SQLite the transaction is.
            locked = PersonalSchedule.objects.select_for_update().get(pk=self.pk)
            known = locked.marks
            news = merge_marks(known, {uid: mark for uid, mark in told.items() if uid in titles or uid in known})
            Star.objects.bulk_create(
                [
                    Star(schedule=locked, session_uid=uid, title=titles.get(uid, ""), is_starred=mark.is_starred,
                         changed_at=mark.changed_at)
                    for uid, mark in news.items()
                ],
                update_conflicts=True,
                unique_fields=["schedule", "session_uid"],
                update_fields=["is_starred", "changed_at"],
            )  # fmt: skip
            if news:
                PersonalSchedule.objects.filter(pk=self.pk).update(version=F("version") + 1)
        self.refresh_from_db(fields=["version"])
        # A prefetched list of before is not that of now.
        self._prefetched_objects_cache = {}
        return len(news)

    def set(self, uid: str, is_starred: bool, titles: Mapping[str, str], now: datetime) -> None:
        """Decide one session by hand, now."""
        self.apply({uid: Mark(is_starred, now.astimezone(UTC))}, titles)


def _hashes(secret: str) -> dict[str, str]:
    return {
        "secret_hash": hash_token(secret),
        "feed_hash": hash_token(derive(secret, FEED)),
        "share_hash": hash_token(derive(secret, SHARE)),
    }


class Star(models.Model):
    """A session in a list: starred, or no longer. It outlives the session, which then is named by `title`."""

    schedule = models.ForeignKey(PersonalSchedule, on_delete=models.CASCADE, related_name="stars")
    session_uid = models.UUIDField()
    title = models.CharField(max_length=400, blank=True)
    is_starred = models.BooleanField(default=True)
    changed_at = models.DateTimeField()

    class Meta:
        verbose_name = _("star")
        verbose_name_plural = _("stars")
        constraints = [
            models.UniqueConstraint(fields=["schedule", "session_uid"], name="session_stands_once_in_a_list")
        ]
        indexes = [
            models.Index(fields=["session_uid"], condition=Q(is_starred=True), name="star_by_session_for_demand"),
        ]

    def __str__(self) -> str:
        return self.title
