/** What the clients got back. */
export class Tally {
  sent = 0;
  readonly answers = new Map<string, number>();
  /** Times a client waited as long as it was told and asked again, and how often that was admitted. */
  obeyed = 0;
  obeyedAndAdmitted = 0;

  add(answer: string): void {
    this.answers.set(answer, this.count(answer) + 1);
  }

  count(answer: string): number {
    return this.answers.get(answer) ?? 0;
  }

  /** All answers that a guard gave instead of the handler. */
  get refused(): number {
    let refused = 0;
    for (const [answer, count] of this.answers) if (answer !== 'ADMITTED') refused += count;
    return refused;
  }
}
