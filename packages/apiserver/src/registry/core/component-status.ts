import { validateDns1123Subdomain } from 'steersman/api'
import { ComponentStatus } from 'steersman/api/types/core/v1'
import { defineKind } from '../strategy.js'

/** Component statuses. */
export const componentStatusKind = defineKind(ComponentStatus, { validateName: validateDns1123Subdomain })
