import './node-22.ts'
import { runCommand } from '../app/commands/run-command.ts'
import { describeAdminCall } from './admin-call.ts'
import { loadDotEnv } from './dot-env.ts'

loadDotEnv()
const { exitCode, stdout, stderr } = await runCommand(process.argv.slice(2), process.env, describeAdminCall())
process.stdout.write(stdout)
process.stderr.write(stderr)
process.exitCode = exitCode
