/**
 * A file of the page as the program embeds it: without lines that are comments alone, without empty
 * lines, and without indentation. It is what build.rs does, and knows no more of the languages than
 * where a comment starts and ends a line.
 */
export function stripComments(source) {
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
