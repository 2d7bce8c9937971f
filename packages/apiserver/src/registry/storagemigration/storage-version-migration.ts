import { validateDns1123Subdomain } from 'steersman/api'
import { StorageVersionMigration } from 'steersman/api/types/storagemigration/v1'
import { defineKind } from '../strategy.js'

export const storageVersionMigrationKind = defineKind(StorageVersionMigration, {
  validateName: validateDns1123Subdomain,
  status: {},
})
