import { accountNode } from './accounts.ts'
import type { Endpoint } from './call.ts'
import { page } from './paging.ts'

export const getApp: Endpoint = (graph) => ({
  body: { id: graph.app.id, name: graph.app.name, link: `${graph.url()}/_sim`, category: 'Business' },
})

export const getBusiness: Endpoint = (graph, call) => ({ body: { ...graph.state.businesses.get(call.id) } })

/** The accounts of a business that this token was granted: how a lost waba_id is found again. */
export const listClientAccounts: Endpoint = (graph, call) => {
  const accounts = [...graph.state.accounts.values()]
    .filter((account) => account.businessId === call.id || call.id === graph.app.businessId)
    .filter((account) => call.token.wabaIds.includes(account.id) && !account.isRemoved)
    .reverse()
  const path = `${call.id}/client_whatsapp_business_accounts`
  return { body: page(graph, call, path, accounts, (account) => accountNode(graph, account, call.params.fields)) }
}
