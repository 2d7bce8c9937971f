import type { FieldError } from 'steersman/api'
import { fieldPath, validatePathSegmentName } from 'steersman/api'
import { Role } from 'steersman/api/types/rbac/v1'
import { defineKind } from '../strategy.js'
import { requireVerbs, validateRules } from './policy-rule.js'

const rulesPath = fieldPath('rules')

/** Roles of a namespace. */
export const roleKind = defineKind(Role, {
  validateName: validatePathSegmentName,
  allowCreateOnUpdate: true,
  validate: ({ rules }): FieldError[] => [...validateRules(rules ?? [], rulesPath, true), ...requireVerbs(rules ?? [], rulesPath)],
})
