/** For `--import`: a hub that the torture starts ends with it, also where the torture was killed. */
process.on('disconnect', () => process.exit(1))
process.channel?.unref()
