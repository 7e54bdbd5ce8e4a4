/**
 * A file of the page as the program embeds it, which is what build.rs does: without comments, empty
 * lines, indentation and some spaces. It knows no more of the languages than where a comment starts
 * and ends.
 */

/** What is written more shortly, by the ending of the file. No text of the page has it. */
const SHORTER = {
  js: [" => ", " === ", " !== ", " && ", " || ", " ?? "].map((long) => [long, long.trim()]),
  css: [[": ", ":"], ["; ", ";"], [" {", "{"], ["{ ", "{"], [" }", "}"], [", ", ","]],
};

/** The file of this name. */
export function shorten(name, source) {
  const ending = name.split(".").pop();
  let short = stripComments(source);
  if (ending === "js") short = short.replace(/\/\*\*.*?\*\/ ?/g, "");
  for (const [long, shorter] of SHORTER[ending] ?? []) short = short.replaceAll(long, shorter);
  return short;
}

/** Without lines that are comments alone, empty lines, and indentation. */
function stripComments(source) {
  const kept = [];
  let inComment = false;
  for (const line of source.split("\n").map((text) => text.trim())) {
    const isComment = inComment || line.startsWith("//") || line.startsWith("/*");
    const closed = line.includes("*/");
    const inline = !inComment && closed && !line.endsWith("*/");
    inComment = (inComment || line.startsWith("/*")) && !closed;
    if (line && (!isComment || inline)) kept.push(line);
  }
  return `${kept.join("\n")}\n`;
}
