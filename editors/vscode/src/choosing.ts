// Which words `cfn test --focus` gets for the clauses that a person chose.

export interface ClauseInfo {
  id: string;
  text: string;
  level: string;
  state: string | null;
  /** Whether it has tests of its own; the others are judged in all runs. */
  tested: boolean;
  unprovable: string | null;
}

/** Return the clauses by group, in their order: `update.applied` is in `update`. */
export function byGroup(clauses: readonly ClauseInfo[]): Map<string, ClauseInfo[]> {
  const groups = new Map<string, ClauseInfo[]>();
  for (const each of clauses) {
    const group = each.id.split(".")[0] ?? each.id;
    groups.set(group, [...(groups.get(group) ?? []), each]);
  }
  return groups;
}

/** Return the options of `cfn test` for a choice of clauses: none where the choice needs all tests. */
export function focusOptions(chosen: readonly ClauseInfo[], all: readonly ClauseInfo[]): string[] {
  const needed = chosen.filter((each) => each.unprovable === null);
  if (needed.length === 0) return []; // nothing could be shown by fewer tests either
  const everything = all.every((each) => chosen.includes(each) || each.unprovable !== null);
  if (everything || needed.some((each) => !each.tested)) return [];
  return needed.flatMap((each) => ["--focus", each.id]);
}
