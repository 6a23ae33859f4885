// The page of now renews itself each minute, without taking focus or place from whoever reads it.

const MINUTE = 60_000;
const find = (page) => page.querySelector("#main > .page");
let shown = find(document).innerHTML;

const renew = async () => {
  if (document.hidden) return;
  try {
    const answer = await fetch(location.href, { cache: "no-cache" });
    if (!answer.ok) return;
    const renewed = find(new DOMParser().parseFromString(await answer.text(), "text/html"));
    if (renewed.innerHTML === shown) return;
    shown = renewed.innerHTML;
    const focused = document.activeElement.getAttribute("href");
    find(document).replaceWith(renewed);
    document.dispatchEvent(new Event("plenary:updated"));
    if (focused) renewed.querySelector(`[href="${CSS.escape(focused)}"]`)?.focus({ preventScroll: true });
  } catch { /* no network: what was shown stays, and says of when it is */ }
};

setInterval(renew, MINUTE);
document.addEventListener("visibilitychange", renew);
