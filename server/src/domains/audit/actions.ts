/** What the audit log records. */
export const AUDIT_ACTIONS = [
  ...(['api_key.created', 'api_key.revoked'] as const),
  ...(['channel.created', 'channel.updated', 'channel.connected', 'channel.deleted'] as const),
  ...(['channel.connect_link_created', 'channel.deregister_failed'] as const),
  ...(['channel.token_regenerated', 'channel.token_revoked'] as const),
  'delivery.revealed',
  ...(['invitation.created', 'invitation.accepted', 'invitation.revoked'] as const),
  ...(['listener.created', 'listener.deleted'] as const),
  ...(['message.revealed', 'messages.export_started', 'messages.exported'] as const),
  ...(['member.added', 'member.role_changed', 'member.removed'] as const),
  ...(['organization.created', 'organization.updated'] as const),
  ...(['organization.export_started', 'organization.exported'] as const),
  ...(['person.erasure_requested', 'person.erased'] as const),
  ...(['session.created', 'session.revoked'] as const),
  ...(['subscription.checkout_opened', 'subscription.changed', 'subscription.plan_changed'] as const),
  ...(['subscription.addons_set', 'subscription.portal_link_created'] as const),
  ...(['template.created', 'template.deleted'] as const),
  ...(['user.password_changed', 'user.password_reset'] as const),
  ...(['user.totp_enabled', 'user.totp_disabled', 'user.totp_refused'] as const),
  ...(['webhook.created', 'webhook.updated', 'webhook.deleted', 'webhook.secret_rotated'] as const),
  ...(['webhook.tested', 'webhook.replayed', 'webhook.recovered', 'webhook.failing', 'webhook.paused'] as const),
] as const
export type AuditAction = (typeof AUDIT_ACTIONS)[number]
