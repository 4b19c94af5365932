// Generated from openapi.json by `npm run generate`. Do not edit.

export type BeginTotp = {
  password: string
}

export type ChangePassword = {
  current_password: string
  new_password: string
  totp?: string
}

export type ChangeRole = {
  role: 'viewer' | 'developer' | 'admin' | 'owner'
}

export type CurrentSession = {
  user: {
    id: string
    email: string
    name: string
    totp_enabled: boolean
  }
  organization: {
    id: string
    name: string
  }
  role: 'viewer' | 'developer' | 'admin' | 'owner'
}

export type CurrentSessionResponse = CurrentSession

export type Done = {
  done: true
}

export type Invitation = {
  id: string
  email: string
  role: 'viewer' | 'developer' | 'admin' | 'owner'
  invited_by: string
  /** ISO 8601, UTC, milliseconds */
  created_at: string
  /** ISO 8601, UTC, milliseconds */
  expires_at: string
}

export type InvitationRevoked = {
  revoked: true
}

export type Invite = {
  email: string
  role: 'viewer' | 'developer' | 'admin' | 'owner'
}

export type Invited = {
  invitation: Invitation
  invitation_url: string
  /** Whether the mail server accepted a mail with the link */
  mail_sent: boolean
  warning: string
}

export type Join = {
  /** A text that is not blank */
  name?: string
  password: string
  totp?: string
}

export type Member = {
  id: string
  name: string
  email: string
  role: 'viewer' | 'developer' | 'admin' | 'owner'
  totp_enabled: boolean
  /** ISO 8601, UTC, milliseconds */
  created_at: string
}

export type MemberRemoved = {
  removed: true
}

export type MemberResponse = {
  member: Member
}

export type OpenInvitation = {
  invitation: {
    organization_name: string
    email: string
    role: 'viewer' | 'developer' | 'admin' | 'owner'
    /** ISO 8601, UTC, milliseconds */
    expires_at: string
  }
}

export type OpenPasswordReset = {
  password_reset: {
    email: string
    /** ISO 8601, UTC, milliseconds */
    expires_at: string
  }
}

export type Organization = {
  id: string
  name: string
  role: 'viewer' | 'developer' | 'admin' | 'owner'
}

export type PasswordResetRequested = {
  accepted: true
}

export type RequestPasswordReset = {
  email: string
}

export type ResetPassword = {
  password: string
}

export type Session = {
  id: string
  current: boolean
  ip: string | null
  user_agent: string | null
  /** ISO 8601, UTC, milliseconds */
  created_at: string
  /** ISO 8601, UTC, milliseconds */
  last_seen_at: string
  /** ISO 8601, UTC, milliseconds */
  expires_at: string
}

export type SignIn = {
  email: string
  password: string
  totp?: string
}

export type SignUp = {
  /** A text that is not blank */
  name: string
  email: string
  password: string
  /** A text that is not blank */
  organization_name: string
}

export type SwitchOrganization = {
  organization_id: string
}

export type TotpBegun = {
  secret: string
  otpauth_url: string
}

export type TotpCode = {
  code: string
}

export type TotpDisable = {
  password: string
  totp: string
}
