// A list behind its link: joining it to the stars of this browser. Both lists end as one, here and there.

(() => {
  const store = window.plenaryStars;
  const kept = document.querySelector("[data-kept]");
  const addAll = document.querySelector("[data-add-all]");
  if (!store) return;

  if (kept) {
    const list = store.read();
    const isHere = list.links && new URL(list.links.url).pathname === location.pathname;
    const join = document.querySelector(".join");
    join.hidden = Boolean(isHere);
    join.querySelector("button").addEventListener("click", async () => {
      const now = store.read();
      now.links = { url: location.origin + location.pathname };
      store.write(now);
      await store.exchange();
      location.assign(kept.dataset.my);
    });
    // A list that is deleted or renewed here is so on this device too.
    for (const button of document.querySelectorAll("button[value=delete], button[value=renew]")) {
      button.addEventListener("click", () => {
        const now = store.read();
        delete now.links;
        store.write(now);
      });
    }
  }
  addAll?.addEventListener("click", (event) => {
    event.preventDefault();
    const rows = [...document.querySelectorAll(".row[data-uid]")];
    const list = store.merge(store.read(), rows.map((row) => [row.dataset.uid, true, Date.now()]));
    for (const row of rows) list.titles[row.dataset.uid] = row.querySelector(".title").textContent.trim();
    store.write(list);
    store.show();
    store.exchange();
    location.assign(addAll.dataset.my);
  });
})();
