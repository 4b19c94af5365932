/** Reads a `.env` of the working directory, where there is one. What the environment has already stays as it is. */
export function loadDotEnv(): void {
  try {
    process.loadEnvFile()
  } catch (err) {
    if (!(err instanceof Error && 'code' in err && err.code === 'ENOENT')) throw err
  }
}
