/**
 * A file of the page as the program embeds it: without lines that are comments alone, types within
 * a line, empty lines, indentation, and spaces, commas and semicolons that say nothing. It is what
 * build.rs does, and knows no more of the languages than where a comment starts and ends a line,
 * which lines of JavaScript have nothing but code and plain strings, and that no text has a sign of
 * a list before its end. A template ends in its line (safety.test.js).
 */
export function shorten(name, source) {
  const isCss = name.endsWith(".css");
  const isJs = name.endsWith(".js");
  let kept = "";
  let inComment = false;
  let isConst = false;
  for (const trimmed of source.split("\n").map((text) => text.trim())) {
    const isComment = inComment || trimmed.startsWith("//") || trimmed.startsWith("/*");
    const closed = trimmed.includes("*/");
    const inline = !inComment && closed && !trimmed.endsWith("*/");
    inComment = (inComment || trimmed.startsWith("/*")) && !closed;
    if (!trimmed || (isComment && !inline)) continue;
    const line = trimmed.replace(/\/\*\* @[^*]*\*\/ ?/g, "");
    const packed = isCss ? line.replace(/ (?=[{}])|(?<=[:;,{}]) /g, "")
      : isJs ? packJs(line) : line;
    // The next line may follow at once where no statement needs the end of this one: each has its
    // semicolon.
    const joins = isCss ? /[:;,{}]$/ : /[;,{}()]$/;
    const isJoined = (isCss || (isJs && !line.includes("//"))) && joins.test(packed);
    // Constants one below the other share their keyword.
    const follows = isConst && packed.startsWith("const");
    kept = follows ? `${kept.slice(0, -1)},${packed.slice(5).trimStart()}` : kept + packed;
    isConst = isJs && packed.startsWith("const") && packed.endsWith(";") && isJoined;
    if (!isJoined) kept += "\n";
  }
  return isJs || isCss ? kept.replace(/[;,](?=})|,(?=[\])])/g, "")
    : kept.replace(/="([\w-]+)"(?=[ >])/g, "=$1");
}

/** A line of JavaScript without spaces beside signs, if it has only code and plain strings. */
function packJs(line) {
  const parts = line.split(/("[^"]*"|`[^`]*`)/);
  const isCode = (index) => index % 2 === 0;
  const isPlain = line.split("`").length <= 3 && !line.includes("\\") &&
    !parts.some((part, index) => isCode(index) && /[`"'/]/.test(part));
  if (!isPlain) return line;
  const pack = (part) => part.replace(/ (?=[=(){},:;?&|<>])|(?<=[=(){},:;?&|<>]) /g, "");
  return parts.map((part, index) => (isCode(index) ? pack(part) : part)).join("");
}
