// In a frame: tells the page around it how high it is. That page may listen, or scroll the frame as it is.
if (window.parent !== window) {
  const tell = () => window.parent.postMessage({ plenary: { height: document.documentElement.offsetHeight } }, "*");
  new ResizeObserver(tell).observe(document.documentElement);
  tell();
}
