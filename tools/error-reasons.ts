import { en as CHECKS } from '../locales/checks/en.ts'
import { en as ISSUES } from '../locales/issues/en.ts'
import { ERROR_STATUS, type ErrorCode, SENTENCES } from '../server/src/kernel/errors.ts'

const DOCUMENT = 'docs/guides/error-reasons.md'

const HEAD = `# Reasons of errors

Every error has in \`details\` why it has its \`code\`: a \`reason\`, and in \`parameters\` the values of its message. Each of
\`details.issues\` has both for its value, and so has each check of a channel's diagnostics. Translate by the reason, and put the
parameters into your own sentence. A reason is never renamed or used for something else; new versions add some, so fall back
to the \`message\`.

A parameter with several values has commas between them, and a time is ISO 8601 in UTC. Two parameters are in English: a \`title\` is
WhatsApp's, and a \`problem\` is the message of the first of \`details.issues\`, so translate that issue in its place. An issue has a reason of [its own table](#issues), or that of the error if the error is about this value alone. The
parameter \`count\` chooses between singular and plural.

\`\`\`json
{"error": {"code": "QUOTA_EXCEEDED", "message": "Your plan allows 2 channels, and 2 are in use. Delete one, or buy more.",
           "request_id": "01a1dd0c-93fc-7ee8-b00d-818d22824cd6",
           "details": {"quota": "channels", "limit": 2, "used": 2,
                       "reason": "channels_of_plan", "parameters": {"limit": 2, "used": 2}}}}
\`\`\`

In the SDK they are \`err.reason\` and \`err.parameters\`. After the sentence of a reason the message may have the words of
WhatsApp, which \`details\` has in members of their own. \`/graph\` has the errors of the Cloud API, without reasons.

This page is written by \`npm run generate\`.
`

/** The page of all reasons with their English sentences. */
export function generateErrorReasons(): Record<string, string> {
  const codes = (Object.keys(ERROR_STATUS) as ErrorCode[]).map(
    (code) => `### ${code}\n\n${writeTable(Object.entries(SENTENCES[code]))}`,
  )
  const issues = Object.entries(ISSUES).flatMap(([key, text]): [string, string][] =>
    key.endsWith('_one') ? [] : [[key.replace(/_other$/, ''), text]],
  )
  const checks = Object.entries(CHECKS.found)
  const page = [
    HEAD,
    '## Codes\n',
    ...codes,
    '## Issues\n\nThe message of an issue follows the path of the value.\n',
    writeTable(issues),
    '## Checks of the diagnostics\n',
    writeTable(checks),
  ]
  return { [DOCUMENT]: `${page.join('\n').trimEnd()}\n` }
}

function writeTable(rows: [reason: string, sentence: string][]): string {
  const lines = rows.map(([reason, sentence]) => `| \`${reason}\` | ${escapeCell(sentence)} |`)
  return `| Reason | Sentence |\n|---|---|\n${lines.join('\n')}\n`
}

/** Angle brackets would be HTML, and a bar would end the cell. */
function escapeCell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
