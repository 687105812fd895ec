// Which documents start the language server: most JSON and YAML files are none of its own.

export interface Opened {
  language: string;
  /** The path with forward slashes. */
  path: string;
  /** The beginning of the text. */
  text: string;
}

export const LANGUAGES = ["json", "jsonc", "yaml", "cloudformation", "smithy"];
const NAMES = /(?:^|\/)(?:\.rpdk-config|overrides\.json|egress\.ya?ml|type[-_]?configuration\.json|target-info\.json)$/i;
const TEMPLATE = /^\s*["']?(?:AWSTemplateFormatVersion|Resources)["']?\s*:/m;
const SCHEMA = /["']?typeName["']?\s*:/;

/** Return whether `cfn lsp` has something to say of a document by itself; files of a project follow from the project. */
export function isKnown(document: Opened): boolean {
  if (document.language === "smithy" || NAMES.test(document.path)) return true;
  return LANGUAGES.includes(document.language) && (TEMPLATE.test(document.text) || SCHEMA.test(document.text));
}
