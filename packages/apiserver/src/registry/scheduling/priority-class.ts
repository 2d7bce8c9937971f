import { validateDns1123Subdomain } from 'steersman/api'
import { PriorityClass } from 'steersman/api/types/scheduling/v1'
import { defineKind } from '../strategy.js'

export const priorityClassKind = defineKind(PriorityClass, {
  validateName: validateDns1123Subdomain,
})
