// What the pages gain from script: the scheme switch in the footer, the device's zone, the current day and slot.

const root = document.documentElement;
const schemeSwitch = document.querySelector(".scheme");
if (schemeSwitch) {
  for (const choice of schemeSwitch.querySelectorAll("input")) {
    choice.checked = choice.value === (root.dataset.scheme ?? "");
  }
  schemeSwitch.addEventListener("change", ({ target }) => {
    if (target.value) root.dataset.scheme = target.value;
    else delete root.dataset.scheme;
    try {
      if (target.value) localStorage.setItem("scheme", target.value);
      else localStorage.removeItem("scheme");
    } catch { /* storage is closed: the choice holds for this page */ }
  });
}

// Only the browser knows its zone; the page is the same for everybody.
const deviceZone = Intl.DateTimeFormat().resolvedOptions().timeZone;
const nameDeviceZone = () => {
  for (const link of document.querySelectorAll("[data-device-zone]")) {
    if (!deviceZone) break;
    link.href = link.dataset.deviceZone + encodeURIComponent(deviceZone).replaceAll("%2F", "/");
    link.querySelector("b").textContent = deviceZone.split("/").at(-1).replaceAll("_", " ");
    link.parentElement.hidden = false;
  }
};

for (const link of document.querySelectorAll(".languages a")) {
  link.addEventListener("click", () => {
    try { localStorage.setItem("language", link.hreflang); } catch { /* storage is closed: the browser's language */ }
  });
}

// Sharing: the system's own way where there is one, and the address itself.
const canonical = document.querySelector("link[rel=canonical]")?.href ?? location.href.split("#")[0];
for (const button of document.querySelectorAll("[data-share]")) {
  button.hidden = !navigator.share;
  button.addEventListener("click", () => navigator.share({ title: document.title, url: canonical }).catch(() => {}));
}
for (const button of document.querySelectorAll("[data-copy]")) {
  const words = button.textContent;
  button.hidden = !navigator.clipboard;
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(canonical);
    button.textContent = button.dataset.done;
    setTimeout(() => { button.textContent = words; }, 3000);
  });
}

const center = (scroller, item) => {
  const [outer, inner] = [scroller.getBoundingClientRect(), item.getBoundingClientRect()];
  scroller.scrollBy({ left: inner.left - outer.left - (outer.width - inner.width) / 2 });
};

// The current day may lie outside a narrow window.
const days = document.querySelector(".days");
const day = days?.querySelector("[aria-current]");
if (day) center(days, day);

let observer;
const followRail = () => {
  observer?.disconnect();
  const times = document.querySelector(".rail-times");
  if (!times) return;
  const links = new Map([...times.querySelectorAll("a.rail-time")].map((link) => [link.hash.slice(1), link]));
  const slots = [...links.keys()].map((id) => document.getElementById(id)).filter(Boolean);
  const inView = new Set();
  let current;
  const mark = () => {
    const slot = slots.find((slot) => inView.has(slot)) ?? (current ? null : slots[0]);
    const link = links.get(slot?.id);
    if (!link || link === current) return;
    current?.removeAttribute("aria-current");
    link.setAttribute("aria-current", "location");
    current = link;
    center(times, link);
  };
  // The band that counts as "in view" begins under rail and slot heading.
  observer = new IntersectionObserver((entries) => {
    for (const { target, isIntersecting } of entries) {
      if (isIntersecting) inView.add(target);
      else inView.delete(target);
    }
    mark();
  }, { rootMargin: "-116px 0px -55% 0px" });
  for (const slot of slots) observer.observe(slot);
};

const enhance = () => {
  if (schemeSwitch) schemeSwitch.hidden = false;
  nameDeviceZone();
  followRail();
};
enhance();
document.addEventListener("plenary:updated", enhance);

// Reading without a network, and news of the programme: once everything else is there.
const offlineWords = document.getElementById("offline-words");
if (offlineWords) addEventListener("load", () => import(offlineWords.dataset.script).catch(() => {}));
