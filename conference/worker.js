// Keeps whole programmes for reading without a network. SITE is filled in above by conference/worker.py.
//
// A cache is one version of one event in one language: "plenary 1 /fr/reef/ <version> <release>". It counts from the
// moment its mark is in it, which is put last; so a half programme is never shown, and a new one replaces the old whole.

const FORMAT = "plenary 1 ";
const MARK = "offline.json";
// How long a reader waits for the network before the kept page is shown.
const PATIENCE = 3000;
const AT_ONCE = 3;
const MOST_PROGRAMMES = 4;
// A guess of what a page takes; asked of the browser before it is taken.
const PAGE_SIZE = 40_000;
// As pages: the most pictures and the most pages that the server lists (schedule/offline.py).
const ROOM_FOR_PICTURES = 2000;
const EXACTLY = { ignoreVary: true };

// Addresses

/** The part of an address that names event and language, "/fr/reef/"; null for what is no page of an event. */
const findRoot = (path) => {
  const parts = path.split("/").slice(1);
  const language = SITE.languages.includes(parts[0]) ? parts.shift() : null;
  const [slug, next, secret] = parts;
  if (!slug || next === undefined || SITE.reserved.includes(decodeURI(slug).toLowerCase())) return null;
  // A secret list is nobody's but its owner's; a frame is another site's page.
  if ((next === "my" && secret) || next === "embed" || !path.endsWith("/")) return null;
  return language ? `/${language}/${slug}/` : `/${slug}/`;
};

// What is kept

const listCaches = async () => (await caches.keys()).filter((name) => name.startsWith(FORMAT));
const rootOf = (name) => name.slice(FORMAT.length).split(" ")[0];

/** The current programme of `root`: its cache and mark; null if none was kept whole. */
const findKept = async (root) => {
  for (const name of (await listCaches()).reverse()) {
    if (rootOf(name) !== root) continue;
    const cache = await caches.open(name);
    const mark = await cache.match(root + MARK, EXACTLY);
    if (mark) return { name, cache, ...await mark.json() };
  }
  return null;
};

const putMark = (cache, root, mark) =>
  cache.put(root + MARK, new Response(JSON.stringify({ ...mark, checkedAt: Date.now() })));

const deleteCaches = (names) => Promise.all(names.map((name) => caches.delete(name)));

/** Delete the programmes that were not looked at for longest, beyond the `most` latest. */
const deleteOldest = async (most, root) => {
  const kept = [];
  for (const other of new Set((await listCaches()).map(rootOf))) {
    if (other !== root) kept.push({ other, at: (await findKept(other))?.checkedAt ?? 0 });
  }
  const gone = kept.sort((a, b) => b.at - a.at).slice(most - 1).map(({ other }) => other);
  await deleteCaches((await listCaches()).filter((name) => gone.includes(rootOf(name))));
};

// Downloading

const isKeepable = (response) =>
  response.status === 200 && response.type === "basic" && !response.redirected &&
  !/no-store|private/.test(response.headers.get("Cache-Control") ?? "");

// By address alone, as a stranger: what is kept is what everybody gets.
const ask = (address) => fetch(address, {
  cache: "no-cache", redirect: "manual", credentials: "omit", signal: AbortSignal.timeout(30_000),
});

const download = async (cache, address) => {
  if (await cache.match(address, EXACTLY)) return;
  // The server's ETags make this cheap where the browser has the page already.
  const response = await ask(address);
  if (isKeepable(response)) await cache.put(address, response);
  // One page that is gone or broken is no reason to keep nothing; a network or server that is, is.
  else if (response.status >= 500 || response.type === "opaqueredirect") throw new Error(`${address}: ${response.status}`);
};

const downloadAll = async (cache, addresses) => {
  const waiting = [...addresses];
  const work = async () => {
    for (let address = waiting.shift(); address; address = waiting.shift()) await download(cache, address);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
};

const askForProgramme = async (root) => {
  const response = await ask(root + MARK);
  return isKeepable(response) ? response.json() : null;
};

const hasRoomFor = async (count) => {
  if (navigator.connection?.saveData) return false;
  const { quota, usage } = await navigator.storage?.estimate?.() ?? {};
  return quota === undefined || quota - usage > count * PAGE_SIZE;
};

/** Fill the cache of this version, as far as there is room: everything, or what is needed most. */
const fill = async (root, name, programme) => {
  const isOurs = (address) => findRoot(new URL(address, location.origin).pathname) === root;
  const pages = programme.addresses.filter(isOurs);
  if (await hasRoomFor(pages.length)) {
    try {
      await downloadAll(await caches.open(name), [...programme.files, ...pages]);
      return;
    } catch (error) {
      if (error.name !== "QuotaExceededError") throw error;
    }
  }
  await caches.delete(name);
  try {
    await downloadAll(await caches.open(name), [...programme.files, ...programme.needed.filter(isOurs)]);
  } catch (error) {
    if (error.name === "QuotaExceededError") await caches.delete(name);
    throw error;
  }
};

/** Take over the pictures that the older cache has already; one that changes has another address. */
const takePictures = async (cache, pictures, older) => {
  for (const address of pictures) {
    const known = await older.match(address, EXACTLY);
    if (known) await cache.put(address, known);
  }
};

/** Keep the programme of `root` as it is now; the old one stays current until all of the new is there. */
const renew = async (root, programme) => {
  const { version, release } = programme;
  const pictures = programme.pictures.filter((address) => address.startsWith(SITE.pictures));
  const name = `${FORMAT}${root} ${version} ${release}`;
  // What was left half by an older version is of no use to this one.
  const current = await findKept(root);
  if (current?.name === name) {
    await putMark(current.cache, root, { version, release, pictures });
    return;
  }
  await deleteCaches((await listCaches()).filter((o) => rootOf(o) === root && ![name, current?.name].includes(o)));
  await deleteOldest(MOST_PROGRAMMES, root);
  await fill(root, name, programme);
  // Versions only grow: the same at the beginning and at the end is the same for every page between.
  const after = await askForProgramme(root);
  if (after?.version !== version || after.release !== release) return;
  const cache = await caches.open(name);
  await putMark(cache, root, { version, release, pictures });
  if (current) await takePictures(cache, pictures, current.cache).catch(() => {});
  await deleteCaches((await listCaches()).filter((other) => rootOf(other) === root && other !== name));
};

const running = new Map();

/** See to it that what is kept of `root` is `version`, if that is known, and the newest otherwise. */
const keep = async (root, version, release) => {
  const kept = await findKept(root);
  // The page has just heard so from the network: nothing to ask for.
  if (kept && kept.version === version && kept.release === release) {
    await putMark(kept.cache, root, { version, release, pictures: kept.pictures });
    return;
  }
  const programme = await askForProgramme(root);
  if (programme) await renew(root, programme);
};

const keepOnce = (root, version, release) => {
  if (!running.has(root)) {
    // What stops a download (no network, no room, no storage) stops it silently: it goes on with the next visit.
    running.set(root, keep(root, version, release).catch(() => {}).finally(() => running.delete(root)));
  }
  return running.get(root);
};

/** Add the pictures, which are no part of a whole programme, as long as there is room for them and a newer one too. */
const keepPictures = async (root) => {
  const kept = await findKept(root);
  if (!kept || !await hasRoomFor(ROOM_FOR_PICTURES)) return;
  const there = new Set((await kept.cache.keys()).map(({ url }) => new URL(url).pathname));
  await downloadAll(kept.cache, kept.pictures.filter((address) => !there.has(address)));
};

// Answering

const sleep = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** The kept page for an address, and what it is instead: "" itself, "plain" without its query, "other" the schedule. */
const findPage = async (root, url) => {
  const kept = await findKept(root);
  if (!kept) return null;
  const { cache, checkedAt } = kept;
  const itself = await cache.match(url.pathname + url.search, EXACTLY);
  if (itself) return { page: itself, instead: "", checkedAt };
  const plain = await cache.match(url.pathname, EXACTLY);
  if (plain) return { page: plain, instead: "plain", checkedAt };
  // The number counts: a renamed session has a new slug at its end.
  const numbered = url.pathname.match(/^.*\/(sessions|speakers)\/\d+/)?.[0];
  const renamed = numbered && (await cache.keys()).find(({ url: known }) => new URL(known).pathname.startsWith(`${numbered}-`));
  if (renamed) return { page: await cache.match(renamed, EXACTLY), instead: url.search ? "plain" : "", checkedAt };
  const list = await cache.match(root, EXACTLY);
  return list && { page: list, instead: "other", checkedAt };
};

/** The page with a word for its script: kept, when it was last known to be the newest, and what it is instead. */
const tell = async ({ page, instead, checkedAt }) => {
  const headers = new Headers(page.headers);
  for (const name of ["Content-Encoding", "Content-Length", "ETag"]) headers.delete(name);
  const html = await page.text();
  return new Response(html.replace("<html ", `<html data-kept="${checkedAt}" data-instead="${instead}" `), { headers });
};

const askNetwork = async (event) => (await event.preloadResponse?.catch(() => {})) ?? fetch(event.request);

/** An answer to a filter or day, which changes an open page: kept only where there is no network, and is it exactly. */
const answerInPlace = async (event, root) => {
  try {
    return await fetch(event.request);
  } catch (error) {
    const found = await findPage(root, new URL(event.request.url)).catch(() => {});
    if (!found || found.instead) throw error;
    (await self.clients.get(event.clientId))?.postMessage({ checkedAt: found.checkedAt });
    return found.page;
  }
};

const answerPage = async (event, root) => {
  const network = askNetwork(event);
  event.waitUntil(network.catch(() => {}));
  const inTime = await Promise.race([network.catch(() => {}), sleep(PATIENCE)]);
  if (inTime && inTime.status < 500) return inTime;
  try {
    const found = await findPage(root, new URL(event.request.url));
    if (found) return await tell(found);
  } catch { /* storage is closed or broken: the network's answer, whatever it is */ }
  return network;
};

const findFile = (request) => caches.match(request.url, EXACTLY).catch(() => {});
const answerUnchanging = async (request) => (await findFile(request)) ?? fetch(request);

/** A static file: with a hash in its name it never changes, without one the network knows best. */
const answerFile = async (request) => {
  if (/\.[0-9a-f]{12}\.\w+$/.test(request.url)) return answerUnchanging(request);
  const giveUp = new AbortController();
  const network = fetch(request, { signal: giveUp.signal });
  const inTime = await Promise.race([network.catch(() => {}), sleep(PATIENCE)]);
  const file = inTime ?? (await findFile(request));
  // A browser has six connections to a site: those that lead nowhere must not keep what asks whether it is back waiting.
  if (file && !inTime) giveUp.abort();
  return file ?? network;
};

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== "GET" || url.origin !== location.origin) return;
  const root = findRoot(url.pathname);
  if (request.mode === "navigate") {
    // Elsewhere too: a preloaded answer that nobody takes would be asked for twice.
    event.respondWith(root ? answerPage(event, root) : askNetwork(event));
  } else if (root && request.headers.has("HX-Request")) event.respondWith(answerInPlace(event, root));
  else if (url.pathname.startsWith(SITE.files)) event.respondWith(answerFile(request));
  else if (url.pathname.startsWith(SITE.pictures) && request.destination === "image") event.respondWith(answerUnchanging(request));
});

self.addEventListener("message", (event) => {
  const { keep: address, version, release = SITE.release } = event.data ?? {};
  const root = typeof address === "string" ? findRoot(address) : null;
  if (!root) return;
  const answer = async () => {
    await keepOnce(root, version, release);
    // Kept or not, the page need wait no longer for what it shows.
    event.source?.postMessage({ kept: root });
    await keepPictures(root).catch(() => {});
  };
  event.waitUntil(answer());
});

// A newer worker takes over at once: it keeps no state but the caches, whose format their names tell.
self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => {
  const begin = async () => {
    await self.registration.navigationPreload?.enable();
    await deleteCaches((await caches.keys()).filter((name) => name.startsWith("plenary ") && !name.startsWith(FORMAT)));
    await self.clients.claim();
  };
  event.waitUntil(begin().catch(() => {}));
});
