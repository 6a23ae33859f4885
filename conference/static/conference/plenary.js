import "./offline.js";

// What the pages gain from script: the scheme switch in the footer, the device's zone, the current day and slot, stars,
// and from offline.js reading without a network: one file where it is served (conference/joining.py).

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
    // The browser knows zones in every language, cities in none.
    const form = { timeZone: deviceZone, timeZoneName: "long" };
    const parts = new Intl.DateTimeFormat(root.lang, form).formatToParts(Date.parse(link.dataset.at));
    link.querySelector("span").textContent = parts.find(({ type }) => type === "timeZoneName").value;
    link.parentElement.hidden = false;
  }
};

for (const link of document.querySelectorAll(".languages a")) {
  link.addEventListener("click", () => {
    try { localStorage.setItem("language", link.hreflang); } catch { /* storage is closed: the browser's language */ }
  });
}

// Sharing: the system's own way where there is one, and the address itself.
const findCanonical = () => document.querySelector("link[rel=canonical]")?.href ?? location.href.split("#")[0];
const offerSharing = () => {
  for (const button of document.querySelectorAll("[data-share]")) button.hidden = !navigator.share;
  for (const button of document.querySelectorAll("[data-copy]")) button.hidden = !navigator.clipboard;
};
document.addEventListener("click", async ({ target }) => {
  if (target.closest?.("[data-share]")) {
    navigator.share({ title: document.title, url: findCanonical() }).catch(() => {});
  }
  const button = target.closest?.("[data-copy]");
  if (!button) return;
  const words = button.textContent;
  try { await navigator.clipboard.writeText(findCanonical()); } catch { return; /* refused: nothing is said to be done */ }
  if (words === button.dataset.done) return;
  button.textContent = button.dataset.done;
  setTimeout(() => { button.textContent = words; }, 3000);
});

const center = (scroller, item) => {
  const [outer, inner] = [scroller.getBoundingClientRect(), item.getBoundingClientRect()];
  scroller.scrollBy({ left: inner.left - outer.left - (outer.width - inner.width) / 2 });
};

// The current day may lie outside a narrow window.
const days = document.querySelector(".days");
const day = days?.querySelector("[aria-current]");
if (day) center(days, day);

// What has focus stands whole and clear of faded edges; a browser is content with a part of it.
document.addEventListener("focusin", ({ target }) => {
  const strip = target.closest(".rail-times, .days, .letters ul, .heads");
  if (strip && target.matches(":focus-visible")) center(strip, target);
});

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

// Stars: one list an event, kept in this browser by the sessions' uids; the page is the same for everybody.
// A mark is [starred, milliseconds]: of two devices the later one counts, at one moment the star.

const stars = (() => {
  const words = document.getElementById("star-words");
  if (!words) return null;
  const key = `plenary:${words.dataset.event}`;
  let held = null;
  const read = () => {
    if (held) return held;
    try { return { stars: {}, titles: {}, ...JSON.parse(localStorage.getItem(key)) }; } catch { return { stars: {}, titles: {} }; }
  };
  const say = (text) => {
    const status = document.querySelector(".star-status") ?? document.body.appendChild(document.createElement("p"));
    status.className = "star-status";
    status.setAttribute("role", "status");
    status.textContent = text;
  };
  const write = (list) => {
    try {
      localStorage.setItem(key, JSON.stringify(list));
      held = null;
    } catch {
      // Full or closed: they hold for this page, and the visitor knows.
      held = list;
      say(words.dataset.full);
    }
  };
  const isStarred = (uid, list = read()) => Boolean(list.stars[uid]?.[0]);

  const merge = (list, marks) => {
    for (const [uid, starred, at] of marks) {
      const known = list.stars[uid];
      if (!known || at > known[1] || (at === known[1] && starred && !known[0])) list.stars[uid] = [starred, at];
    }
    return list;
  };

  // Only mine: a choice of this tab, since what is mine stands in no address.
  const onlyKey = `${key}:only`;
  const isOnly = () => { try { return sessionStorage.getItem(onlyKey) !== null; } catch { return false; } };
  const showOnlyMine = (count) => {
    const button = document.querySelector("[data-only-mine]");
    const holds = Boolean(button) && count > 0 && isOnly();
    root.classList.toggle("shows-only-mine", holds);
    if (!button) return;
    button.hidden = !count;
    button.setAttribute("aria-pressed", holds);
  };

  // A row carries data-uid, a block of the grid data-mine: one session can stand in both on one page.
  const SESSIONS = "[data-uid], .block[data-mine]";
  const uidOf = ({ dataset }) => dataset.uid ?? dataset.mine;

  /** Give what `part` of the page shows of sessions its stars. */
  const mark = (part, list = read()) => {
    for (const item of part.querySelectorAll(SESSIONS)) {
      const starred = isStarred(uidOf(item), list);
      item.classList.toggle("is-starred", starred);
      let button = item.querySelector(":scope > .star, :scope .star-place > .star");
      if (!button) {
        button = words.content.querySelector(".star").cloneNode(true);
        const title = item.querySelector(".title, h1")?.textContent.trim() ?? "";
        button.setAttribute("aria-label", words.dataset.star.replace("{title}", title));
        (item.querySelector(":scope .star-place") ?? item).append(button);
      }
      button.setAttribute("aria-pressed", starred);
    }
    for (const block of part.querySelectorAll("[data-mine]:not(.block)")) {
      block.classList.toggle("is-starred", isStarred(block.dataset.mine, list));
    }
  };

  const show = () => {
    const list = read();
    mark(document, list);
    const count = Object.values(list.stars).filter(([starred]) => starred).length;
    for (const tag of document.querySelectorAll("[data-star-count]")) {
      tag.hidden = !count;
      tag.textContent = count;
    }
    showOnlyMine(count);
    for (const link of document.querySelectorAll("a.rail-time")) {
      const slot = document.getElementById(link.hash.slice(1));
      link.classList.toggle("is-mine", Boolean(slot?.querySelector(".is-starred")));
    }
    document.dispatchEvent(new Event("plenary:stars"));
  };

  // With a list on the server: everything known goes there, everything decided comes back. Twice is as once.
  let waiting;
  const exchange = async () => {
    const list = read();
    if (!list.links || navigator.onLine === false) return;
    const changes = Object.entries(list.stars).map(([uid, [starred, at]]) => [uid, starred, at]);
    try {
      const response = await fetch(`${new URL(list.links.url).pathname}sync/`, {
        method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ changes }),
        referrerPolicy: "no-referrer",
      });
      if (response.status === 404) {
        const now = read();
        delete now.links;
        write(now);
        say(words.dataset.closed);
      } else if (response.ok) keep(await response.json());
    } catch { /* no network: sent when there is one again */ }
  };
  const exchangeSoon = (delay = 1500) => {
    clearTimeout(waiting);
    if (read().links) waiting = setTimeout(exchange, delay);
  };
  const keep = (answer) => {
    const list = merge(read(), answer.stars);
    list.links = { url: answer.url, feed: answer.feed, share: answer.share };
    write(list);
    show();
    return list;
  };

  const toggle = (uid, title) => {
    const list = read();
    list.stars[uid] = [!isStarred(uid, list), Math.max(Date.now(), (list.stars[uid]?.[1] ?? 0) + 1)];
    list.titles[uid] = title;
    write(list);
    show();
    exchangeSoon();
  };

  document.addEventListener("click", ({ target }) => {
    if (target.closest?.("[data-only-mine]")) {
      try {
        if (isOnly()) sessionStorage.removeItem(onlyKey);
        else sessionStorage.setItem(onlyKey, "");
      } catch { /* storage is closed: all stay in sight */ }
      show();
    }
    const button = target.closest?.(".star");
    const item = button?.closest(SESSIONS);
    if (item) toggle(uidOf(item), item.querySelector(".title, h1")?.textContent.trim() ?? "");
  });
  addEventListener("storage", (event) => { if (event.key === key) show(); });
  addEventListener("online", () => exchangeSoon(0));
  document.addEventListener("visibilitychange", () => { if (!document.hidden) exchangeSoon(); });
  exchangeSoon(500);
  return { read, write, merge, keep, mark, show, say, exchange, isStarred };
})();
window.plenaryStars = stars;

// Making one tree equal to another, such as the page to an answer of the server. Nodes that stay are the same nodes:
// focus, scroll, an open sheet and what a visitor unfolded stay too.

const makeEqual = (() => {
  let takesSearch = false;
  const keyOf = ({ id, dataset }) => id || dataset?.uid || dataset?.mine || dataset?.day || "";
  const isLike = (a, b) =>
    a.nodeName === b.nodeName && keyOf(a) === keyOf(b) &&
    (a.nodeType !== Node.ELEMENT_NODE || a.classList[0] === b.classList[0]) &&
    // A choice is its value: in a long facet the chosen ones move to the top.
    (a.nodeName !== "LABEL" || a.firstElementChild?.value === b.firstElementChild?.value);

  const findLike = (first, wanted) => {
    for (let node = first; node; node = node.nextSibling) {
      if (isLike(node, wanted)) return node;
      // Only what has a key may be looked for behind something that has one, or is text.
      if (!keyOf(wanted) && (keyOf(node) || wanted.nodeType !== Node.ELEMENT_NODE)) return null;
    }
    return null;
  };

  const updateAttributes = (old, wanted) => {
    for (const { name } of [...old.attributes]) {
      // What a visitor unfolded stays so.
      if (!wanted.hasAttribute(name) && !(name === "open" && old.nodeName === "DETAILS")) old.removeAttribute(name);
    }
    for (const { name, value } of wanted.attributes) if (old.getAttribute(name) !== value) old.setAttribute(name, value);
  };

  const updateChildren = (old, wanted) => {
    let next = old.firstChild;
    for (const child of [...wanted.childNodes]) {
      const like = findLike(next, child);
      if (!like) {
        old.insertBefore(child, next);
        continue;
      }
      while (next !== like) {
        const gone = next;
        next = next.nextSibling;
        gone.remove();
      }
      next = like.nextSibling;
      update(like, child);
    }
    while (next) {
      const gone = next;
      next = next.nextSibling;
      gone.remove();
    }
  };

  const update = (old, wanted) => {
    if (old.nodeType !== Node.ELEMENT_NODE) {
      if (old.nodeValue !== wanted.nodeValue) old.nodeValue = wanted.nodeValue;
      return;
    }
    // What script fills is its own; it hears of the change.
    if (old.hasAttribute("data-by-script")) return;
    // Of templates, equality sees only the outside.
    if (old.isEqualNode(wanted) && !old.matches("input, template") && !old.querySelector("input, template")) return;
    updateAttributes(old, wanted);
    if (old.matches("template")) old.content.replaceChildren(wanted.content);
    if (old.matches("[type=checkbox]")) old.checked = wanted.checked;
    // A search that is being typed is newer than any answer to it.
    else if (old.matches("[type=search]") && (old !== document.activeElement || takesSearch)) old.value = wanted.value;
    updateChildren(old, wanted);
  };

  return (old, wanted, isGoingBack = false) => {
    takesSearch = isGoingBack;
    // With its stars, that of them which has the focus stays too.
    stars?.mark(wanted);
    updateChildren(old, wanted);
  };
})();
window.plenaryUpdate = makeEqual;

const enhance = () => {
  stars?.show();
  if (schemeSwitch) schemeSwitch.hidden = false;
  nameDeviceZone();
  offerSharing();
  followRail();
};
enhance();
document.addEventListener("plenary:updated", enhance);
