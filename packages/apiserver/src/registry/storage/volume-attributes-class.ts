import { validateDns1123Subdomain } from 'steersman/api'
import { VolumeAttributesClass } from 'steersman/api/types/storage/v1'
import { defineKind } from '../strategy.js'

export const volumeAttributesClassKind = defineKind(VolumeAttributesClass, {
  validateName: validateDns1123Subdomain,
})
