import { receiveUpload } from '../../../kernel/http/upload.ts'
import { type FacadeResponse, toJsonResponse } from '../responses.ts'
import type { AllowedRequest } from '../upstream-calls.ts'
import type { HandleUploads } from './uploads.ts'

/** The field that clients of the upstream send beside a file. */
const FORM_FIELDS = { messaging_product: ['whatsapp'] }

export function createHeaderHandleOperations({ handleUploads }: { handleUploads: HandleUploads }) {
  return {
    /** Uploads an example for the header of a template, in a form. */
    async createHandle(request: AllowedRequest): Promise<FacadeResponse> {
      const { raw, mount } = request
      const receive = () => receiveUpload(raw, 'file', FORM_FIELDS, { ignoresFields: mount === 'graph' })
      return toJsonResponse(JSON.stringify(await handleUploads.create(request, receive)))
    },
  }
}
