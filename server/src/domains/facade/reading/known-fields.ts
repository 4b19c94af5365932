/** The readable fields of a number. Without `certificate`: it allows moving the number to another provider. */
export const NUMBER_FIELDS = [
  'id',
  'display_phone_number',
  'verified_name',
  'status',
  'quality_rating',
  'quality_score',
  'name_status',
  'new_name_status',
  'code_verification_status',
  'account_mode',
  'platform_type',
  'is_on_biz_app',
  'is_official_business_account',
  'is_pin_enabled',
  'is_preverified_number',
  'throughput',
  'messaging_limit_tier',
  'whatsapp_business_manager_messaging_limit',
  'health_status',
  'webhook_configuration',
  'last_onboarded_time',
  'search_visibility',
  'username',
]

/** Settings of the number, which only clients of `/graph` set. */
export const GRAPH_NUMBER_FIELDS = [...NUMBER_FIELDS, 'conversational_automation']

export const PROFILE_FIELDS = [
  'id',
  'messaging_product',
  'about',
  'address',
  'description',
  'email',
  'profile_picture_url',
  'websites',
  'vertical',
]

export const TEMPLATE_SUMMARY_FIELDS = [
  'total_count',
  'message_template_count',
  'message_template_limit',
  'are_translations_complete',
]

export const TEMPLATE_FIELDS = [
  'id',
  'name',
  'parameter_format',
  'components',
  'language',
  'status',
  'category',
  'sub_category',
  'previous_category',
  'correct_category',
  'quality_score',
  'rejected_reason',
  'message_send_ttl_seconds',
  'cta_url_link_tracking_opted_out',
  'library_template_name',
  'degrees_of_freedom_spec',
  'last_updated_time',
]
