import { validateDns1123Subdomain } from 'steersman/api'
import { VolumeAttachment } from 'steersman/api/types/storage/v1'
import { defineKind } from '../strategy.js'

export const volumeAttachmentKind = defineKind(VolumeAttachment, {
  validateName: validateDns1123Subdomain,
  status: {},
})
