/** An ETag in a response, where JSON escapes its quotation marks. */
const ETAG = /^(?:"etag": )?"?\\"([^"\\]+)\\""?,?$/;

/** Lets people copy the `etag` of a list's item as `If-Match` takes it: the whole of it, and without the escapes of JSON. */
export function copyPlugin() {
  window.document.addEventListener('copy', (event) => {
    const selection = window.getSelection();
    const { parentElement } = selection.anchorNode;
    // A double click selects a part of it.
    const isWithin = selection.containsNode(parentElement, true) && parentElement.contains(selection.focusNode);
    const [, etag] = ETAG.exec(isWithin ? parentElement.textContent : String(selection).trim()) ?? [];
    if (!etag) return;
    event.clipboardData.setData('text/plain', `"${etag}"`);
    event.preventDefault();
  });
  return {};
}
