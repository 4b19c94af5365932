/** What may be asked of a number. Its certificate may not: with it the number can be taken elsewhere. */
export const NUMBER_FIELDS = [
  ...['id', 'display_phone_number', 'verified_name', 'status', 'quality_rating', 'quality_score', 'name_status'],
  ...['new_name_status', 'code_verification_status', 'account_mode', 'platform_type', 'is_on_biz_app'],
  ...['is_official_business_account', 'is_pin_enabled', 'is_preverified_number', 'throughput', 'messaging_limit_tier'],
  ...['whatsapp_business_manager_messaging_limit', 'health_status', 'webhook_configuration', 'last_onboarded_time'],
  ...['search_visibility', 'username'],
]

export const PROFILE_FIELDS = [
  ...['id', 'messaging_product', 'about', 'address', 'description', 'email', 'profile_picture_url', 'websites'],
  'vertical',
]

export const TEMPLATE_FIELDS = [
  ...['id', 'name', 'parameter_format', 'components', 'language', 'status', 'category', 'sub_category'],
  ...['previous_category', 'correct_category', 'quality_score', 'rejected_reason', 'message_send_ttl_seconds'],
  ...['cta_url_link_tracking_opted_out', 'library_template_name', 'degrees_of_freedom_spec', 'last_updated_time'],
]
