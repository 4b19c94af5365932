import { asText, type JsonObject } from '../../json.ts'
import type { Graph } from '../context.ts'
import { findToken, findTokenProblem } from '../http/access.ts'
import type { Endpoint } from '../http/call.ts'
import { GraphError, plainInvalid, required } from '../http/errors.ts'
import { HOUR_MS, type Token } from '../model.ts'

/** A sign-up code can be exchanged once, within half a minute. */
const CODE_LIFE_MS = 30_000

export const exchangeCode: Endpoint<'oauth'> = (graph, { params }) => {
  const { client_id: clientId, client_secret: secret, code: codeParam, redirect_uri: redirectUri } = params
  if (clientId === undefined) throw required('client_id')
  if (asText(clientId) !== graph.app.id) {
    throw new GraphError(400, {
      message: 'Error validating application. Cannot get application info due to a system error.',
      code: 101,
    })
  }
  if (asText(secret) !== graph.app.secret) {
    throw new GraphError(400, { message: 'Error validating client secret.', code: 1 })
  }
  const code = graph.state.codes.get(asText(codeParam))
  if (!code) throw plainInvalid('Invalid verification code format.', 36007)
  if (code.isUsed) throw plainInvalid('This authorization code has been used.', 36009)
  if (graph.clock.now() >= code.issuedAt + CODE_LIFE_MS) {
    throw plainInvalid('This authorization code has expired.', 36007)
  }
  if (code.redirectUri !== asText(redirectUri)) {
    const reason = 'Please make sure your redirect_uri is identical to the one you used in the OAuth dialog request'
    throw plainInvalid(`Error validating verification code. ${reason}`, 36008)
  }
  code.isUsed = true
  code.token.issuedAt = graph.clock.now()
  graph.state.tokens.set(code.token.value, code.token)
  return { access_token: code.token.value, token_type: 'bearer', expires_in: getLifetimeSeconds(graph, code.token) }
}

function getLifetimeSeconds(graph: Graph, token: Token): number | undefined {
  return token.expiresAt === 0 ? undefined : Math.floor((token.expiresAt - graph.clock.now()) / 1_000)
}

/** Describes a token. The response for an invalid token is a 200 as well. */
export const debugToken: Endpoint<'debug_token'> = (graph, { params }) => {
  const input = asText(params.input_token)
  if (input === '') throw required('input_token')
  const token = findToken(graph, input)
  const problem = token
    ? findTokenProblem(graph, token)
    : { message: 'Invalid OAuth access token - Cannot parse access token', subcode: undefined }
  if (!token || problem) {
    const error = { code: 190, message: problem?.message, subcode: problem?.subcode }
    return { data: { ...(token ? describeToken(graph, token) : {}), error, is_valid: false, scopes: [] } }
  }
  return { data: describeToken(graph, token) }
}

function describeToken(graph: Graph, token: Token): JsonObject {
  // The newest account comes first.
  const targets = token.wabaIds.filter((id) => graph.state.accounts.get(id)?.isRemoved === false).toReversed()
  return {
    app_id: graph.app.id,
    type: token.kind === 'app' ? 'APP' : 'SYSTEM_USER',
    application: graph.app.name,
    data_access_expires_at: token.kind === 'app' ? 0 : Math.floor((token.issuedAt + 24 * 90 * HOUR_MS) / 1_000),
    expires_at: Math.floor(token.expiresAt / 1_000),
    is_valid: true,
    issued_at: Math.floor(token.issuedAt / 1_000),
    scopes: token.scopes,
    granular_scopes: token.scopes.map((scope) => ({ scope, target_ids: targets })),
    user_id: token.userId,
  }
}
