/** The app of the hub at the upstream. */
export const APP = { appId: '100000000000000', appSecret: 'bench-app-secret', verifyToken: 'bench-verify-token' }
