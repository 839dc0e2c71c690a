/** A request in the fragment of a link: JSON, deflated, in URL-safe base 64. Fragments are not sent to servers. */

const MARK = '#request=';
const LONGEST = 4 * 1024 * 1024;

export async function linkOf(saved) {
  const stream = new Blob([JSON.stringify(saved)]).stream().pipeThrough(new CompressionStream('deflate-raw'));
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  let binary = '';
  for (let start = 0; start < bytes.length; start += 8192) binary += String.fromCharCode(...bytes.subarray(start, start + 8192));
  const packed = btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
  return `${location.href.split('#')[0]}${MARK}${packed}`;
}

/** Return the request in this page's address; null where there is none.
 *  @throws {Error} It is damaged or too long. */
export async function sharedRequest(hash) {
  if (!hash.startsWith(MARK)) return null;
  const binary = atob(hash.slice(MARK.length).replaceAll('-', '+').replaceAll('_', '/'));
  const bytes = Uint8Array.from(binary, (each) => each.charCodeAt(0));
  const reader = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate-raw')).getReader();
  const parts = [];
  for (let length = 0, chunk; !(chunk = await reader.read()).done; parts.push(chunk.value)) {
    length += chunk.value.length;
    if (length > LONGEST) throw new Error('the request in this link is too long');
  }
  const saved = JSON.parse(await new Blob(parts).text());
  if (typeof saved !== 'object' || saved === null) throw new Error('the link holds no request');
  return saved;
}
