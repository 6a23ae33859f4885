// Filters answer in place: htmx asks for the page at the address that the form spells, and what differs is updated.
// The address stays the only state. The server answers with the page it gives everybody.

(() => {
  const form = document.getElementById("filters");
  if (!form || !window.htmx) return;
  const here = () => location.pathname + location.search;
  // What the page shows, and what it will show once the answer is there.
  let shown = here();
  let asked = shown;
  const scrolls = new Map();
  let sheet = null;

  const spell = () => {
    const query = new URLSearchParams();
    const values = [...new FormData(form)].filter(([, value]) => typeof value === "string" && value.trim());
    // As links of the page spell it: the search comes last.
    values.sort(([a], [b]) => (a === "q") - (b === "q"));
    for (const [name, value] of values) query.append(name, value.trim());
    const path = new URL(form.action).pathname;
    return query.size ? `${path}?${query}`.replaceAll("%2F", "/") : path;
  };
  const show = (address) => htmx
    .ajax("GET", address, { source: document.body, target: document.body, swap: "update" })
    .catch(() => { /* told by an event, below */ });

  let isGoingBack = false;

  // Where the reader is: the slot under what sticks at the top. Slots are named by their instant, so ids sort by time.

  const findPlace = () => {
    const list = document.getElementById("sessions");
    const rail = document.querySelector(".rail");
    // Who types looks for the best matches, at the top; the grid stays where it is, as no session leaves it.
    if (!list || !rail || document.activeElement.matches("[type=search]")) return null;
    const edge = rail.getBoundingClientRect().bottom;
    if (list.getBoundingClientRect().top > edge) return null;
    const slot = [...document.querySelectorAll(".slot[id]")].find((one) => one.getBoundingClientRect().bottom > edge + 16);
    return slot && { id: slot.id, top: slot.getBoundingClientRect().top };
  };
  const returnTo = (place) => {
    const slots = [...document.querySelectorAll(".slot[id]")];
    const slot = slots.find((one) => one.id >= place.id) ?? slots.at(-1);
    if (!slot) return;
    const edge = document.querySelector(".rail").getBoundingClientRect().bottom;
    scrollBy(0, slot.getBoundingClientRect().top - (slot.id === place.id ? place.top : edge + 1));
  };

  const keepFocus = (focused, chip) => {
    if (!focused || document.activeElement !== document.body || focused === document.body) return;
    const like = focused.matches("[type=checkbox]") &&
      form.querySelector(`[name="${CSS.escape(focused.name)}"][value="${CSS.escape(focused.value)}"]`);
    const chips = document.querySelectorAll(".chip");
    if (like) like.parentElement.scrollIntoView({ block: "nearest" });
    (like || (chip >= 0 && chips[Math.min(chip, chips.length - 1)]) || document.getElementById("sessions"))
      ?.focus({ preventScroll: true });
  };

  htmx.defineExtension("update", {
    isInlineSwap: () => true,
    handleSwap(_style, body, fragment) {
      const focused = document.activeElement;
      const chip = [...document.querySelectorAll(".chip")].indexOf(focused);
      const place = isGoingBack ? null : findPlace();
      window.plenaryUpdate(body, fragment, isGoingBack);
      shown = asked;
      document.dispatchEvent(new Event("plenary:updated"));
      if (place) returnTo(place);
      else if (isGoingBack) scrollTo(0, scrolls.get(shown) ?? scrollY);
      isGoingBack = false;
      keepFocus(focused, chip);
      return [body];
    },
  });

  // Asking

  // An answer that nobody waits for any more is no fault to report.
  htmx.logger = (_element, name, detail) => {
    if (name === "htmx:sendAbort" || name === "htmx:afterRequest") delete detail.error;
  };

  document.addEventListener("htmx:confirm", (event) => {
    const { elt, path, triggeringEvent } = event.detail;
    if (elt !== document.body) isGoingBack = false;
    if (elt !== form && !elt.matches(".search")) {
      asked = path;
      return;
    }
    const address = spell();
    if (triggeringEvent?.type === "submit" && form.matches(":popover-open")) applySheet(address, event);
    // Nothing new is no question.
    else if (address === asked) event.preventDefault();
    asked = address;
  });
  document.addEventListener("htmx:configRequest", ({ detail }) => {
    detail.path = asked;
    detail.parameters = {};
  });
  document.addEventListener("htmx:beforeHistoryUpdate", ({ detail }) => {
    // In the sheet everything is a trial until it is applied.
    if (sheet && !sheet.isApplied) Object.assign(detail.history, { type: "replace", path: here() });
    else if (detail.history.type === "push") scrolls.set(shown, scrollY);
  });
  document.addEventListener("htmx:responseError", () => location.assign(asked));
  document.addEventListener("htmx:sendError", () => {
    asked = shown;
    form.reset();
    document.getElementById("unreachable").hidden = false;
  });

  // Before htmx hears of it: going back updates like everything else. A jump within the page asks for nothing.
  addEventListener("popstate", (event) => {
    event.stopImmediatePropagation();
    if (here() === asked) return;
    isGoingBack = true;
    show(here());
  }, { capture: true });

  // The sheet: applied by its button, given up by × and Esc

  const applySheet = (address, event) => {
    sheet.isApplied = true;
    form.hidePopover();
    if (address !== shown) return;
    event.preventDefault();
    if (address === here()) return;
    scrolls.set(here(), sheet.scroll);
    history.pushState({ htmx: true }, "", address);
    document.getElementById("sessions")?.scrollIntoView();
  };
  form.addEventListener("toggle", ({ newState }) => {
    if (newState === "open") {
      sheet = { scroll: scrollY, isApplied: false };
      return;
    }
    if (!sheet.isApplied) document.dispatchEvent(new Event("plenary:given-up"));
    if (!sheet.isApplied && asked !== here()) show(here());
    sheet = null;
  });

  document.documentElement.classList.add("is-filtering");
})();
