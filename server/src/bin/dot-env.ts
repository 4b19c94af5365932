/** Loads `.env` of the working directory if it exists. Variables of the environment take precedence. */
export function loadDotEnv(): void {
  try {
    process.loadEnvFile()
  } catch (err) {
    if (!(err instanceof Error && 'code' in err && err.code === 'ENOENT')) throw err
  }
}
