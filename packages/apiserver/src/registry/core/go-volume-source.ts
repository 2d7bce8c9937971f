import { compareCodePoints } from 'steersman/api'
import type { PersistentVolumeSpec, SecretReference } from 'steersman/api/types/core/v1'

/**
 * Go's names of the sources of volumes and of their fields, in Go's order, each with the name in JSON. After the name stands what Go shows for a field that is not
 * there: `#` 0, `!` false, `?` null; otherwise nothing. `@` is a reference to a secret, `{}` a map.
 */
const goSources: Readonly<Partial<Record<keyof PersistentVolumeSpec, readonly [name: string, fields: string]>>> = {
  gcePersistentDisk: ['GCEPersistentDisk', 'PDName=pdName FSType=fsType Partition=partition# ReadOnly=readOnly!'],
  awsElasticBlockStore: ['AWSElasticBlockStore', 'VolumeID=volumeID FSType=fsType Partition=partition# ReadOnly=readOnly!'],
  hostPath: ['HostPath', 'Path=path Type=type?'],
  glusterfs: ['Glusterfs', 'EndpointsName=endpoints Path=path ReadOnly=readOnly! EndpointsNamespace=endpointsNamespace?'],
  nfs: ['NFS', 'Server=server Path=path ReadOnly=readOnly!'],
  rbd: [
    'RBD',
    'CephMonitors=monitors? RBDImage=image FSType=fsType RBDPool=pool RadosUser=user Keyring=keyring SecretRef=secretRef@ ReadOnly=readOnly!',
  ],
  iscsi: [
    'ISCSI',
    'TargetPortal=targetPortal IQN=iqn Lun=lun# ISCSIInterface=iscsiInterface FSType=fsType ReadOnly=readOnly! Portals=portals? DiscoveryCHAPAuth=chapAuthDiscovery! SessionCHAPAuth=chapAuthSession! SecretRef=secretRef@ InitiatorName=initiatorName?',
  ],
  cinder: ['Cinder', 'VolumeID=volumeID FSType=fsType ReadOnly=readOnly! SecretRef=secretRef@'],
  cephfs: ['CephFS', 'Monitors=monitors? Path=path User=user SecretFile=secretFile SecretRef=secretRef@ ReadOnly=readOnly!'],
  fc: ['FC', 'TargetWWNs=targetWWNs? Lun=lun? FSType=fsType ReadOnly=readOnly! WWIDs=wwids?'],
  flocker: ['Flocker', 'DatasetName=datasetName DatasetUUID=datasetUUID'],
  flexVolume: ['FlexVolume', 'Driver=driver FSType=fsType SecretRef=secretRef@ ReadOnly=readOnly! Options=options{}'],
  azureFile: ['AzureFile', 'SecretName=secretName ShareName=shareName ReadOnly=readOnly! SecretNamespace=secretNamespace?'],
  vsphereVolume: [
    'VsphereVolume',
    'VolumePath=volumePath FSType=fsType StoragePolicyName=storagePolicyName StoragePolicyID=storagePolicyID',
  ],
  quobyte: ['Quobyte', 'Registry=registry Volume=volume ReadOnly=readOnly! User=user Group=group Tenant=tenant'],
  azureDisk: ['AzureDisk', 'DiskName=diskName DataDiskURI=diskURI CachingMode=cachingMode? FSType=fsType? ReadOnly=readOnly? Kind=kind?'],
  photonPersistentDisk: ['PhotonPersistentDisk', 'PdID=pdID FSType=fsType'],
  portworxVolume: ['PortworxVolume', 'VolumeID=volumeID FSType=fsType ReadOnly=readOnly!'],
  scaleIO: [
    'ScaleIO',
    'Gateway=gateway System=system SecretRef=secretRef@ SSLEnabled=sslEnabled! ProtectionDomain=protectionDomain StoragePool=storagePool StorageMode=storageMode VolumeName=volumeName FSType=fsType ReadOnly=readOnly!',
  ],
  local: ['Local', 'Path=path FSType=fsType?'],
  storageos: ['StorageOS', 'VolumeName=volumeName VolumeNamespace=volumeNamespace FSType=fsType ReadOnly=readOnly! SecretRef=secretRef@'],
  csi: [
    'CSI',
    'Driver=driver VolumeHandle=volumeHandle ReadOnly=readOnly! FSType=fsType VolumeAttributes=volumeAttributes{} ControllerPublishSecretRef=controllerPublishSecretRef@ NodeStageSecretRef=nodeStageSecretRef@ NodePublishSecretRef=nodePublishSecretRef@ ControllerExpandSecretRef=controllerExpandSecretRef@ NodeExpandSecretRef=nodeExpandSecretRef@',
  ],
}

/** Where a volume comes from, as Go shows it in refusals. */
export function goVolumeSource(spec: PersistentVolumeSpec): object {
  const sources = Object.entries(goSources).map(([field, [name, fields]]) => {
    const source = spec[field as keyof PersistentVolumeSpec] as Readonly<Record<string, unknown>> | undefined
    return [name, source === undefined ? null : goSource(source, fields)]
  })
  return Object.fromEntries(sources)
}

function goSource(source: Readonly<Record<string, unknown>>, fields: string): object {
  const members = fields.split(' ').map((text) => {
    const [, name = '', field = '', kind = ''] = /^(\w+)=(\w+)(.*)$/.exec(text) ?? []
    return [name, goValue(source[field] ?? undefined, kind)]
  })
  return Object.fromEntries(members)
}

const absent: Readonly<Record<string, unknown>> = { '': '', '#': 0, '!': false }

function goValue(value: unknown, kind: string): unknown {
  if (value === undefined) return absent[kind] ?? null
  if (kind === '@') {
    const { name = '', namespace = '' } = value as SecretReference
    return { Name: name, Namespace: namespace }
  }
  if (kind !== '{}') return value
  return Object.fromEntries(Object.entries(value as object).sort(([a], [b]) => compareCodePoints(a, b)))
}
