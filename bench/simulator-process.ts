import { createSimulator } from '@hubline/simulator'
import { APP } from './app.ts'

/** The simulator in a process of its own. It sends the URL on which it listens, and ends with its parent. */
const simulator = createSimulator(APP)
process.on('disconnect', () => process.exit(0))
process.send?.(await simulator.listen({ host: '127.0.0.1', port: 0 }))
