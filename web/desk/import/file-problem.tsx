import { RejectedRequest } from '../../shared/problem.ts';
import { ErrorNotice } from '../parts/notice.tsx';

/** What is wrong with a file. It stands at the file, so that the field of the form needs no name. */
export function FileProblem({ error }: { readonly error: unknown }) {
  if (!(error instanceof RejectedRequest)) return <ErrorNotice error={error} />;
  const { problem, retryAfterSeconds } = error;
  const { violations = [] } = problem;
  const atFile = violations.map((violation) =>
    violation.propertyPath === 'file' ? { ...violation, propertyPath: '' } : violation,
  );
  return <ErrorNotice error={new RejectedRequest({ ...problem, violations: atFile }, retryAfterSeconds)} />;
}
