import { validateDns1123Subdomain } from 'steersman/api'
import { CSINode } from 'steersman/api/types/storage/v1'
import { defineKind } from '../strategy.js'

export const csiNodeKind = defineKind(CSINode, {
  validateName: validateDns1123Subdomain,
  status: {},
})
