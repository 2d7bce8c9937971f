import type { FieldError } from 'steersman/api'
import { fieldError, fieldPath, goQuote, utf8Length } from 'steersman/api'
import type { NodeStatus } from 'steersman/api/types/core/v1'

const maxFeatureBytes = 253
const featureName = /^[A-Z][A-Za-z0-9]*(?:\/[A-Za-z][A-Za-z0-9]*)*$/
const shape =
  "start with an UpperCamelCase segment, with subsequent segments separated by '/' (e.g., MyFeature or MyFeature/mySubFeature), and contain only alphanumeric characters and slashes"

/** What is wrong with the features that a node declares: they are sorted. */
export function featureErrors(status: NodeStatus | undefined): FieldError[] {
  const features = status?.declaredFeatures ?? []
  return features.flatMap((feature, index) => {
    const path = fieldPath('status', 'declaredFeatures').index(index)
    const previous = features[index - 1]
    return [
      ...(previous === feature ? [fieldError.duplicate(path, feature)] : []),
      ...(previous !== undefined && previous > feature ? [fieldError.invalid(path, feature, 'list must be sorted alphabetically')] : []),
      ...nameDetails(feature).map((detail) => fieldError.invalid(path, feature, detail)),
    ]
  })
}

function nameDetails(feature: string): readonly string[] {
  const must = `invalid feature name ${goQuote(feature)}: must`
  if (utf8Length(feature) > maxFeatureBytes) return [`${must} be no more than ${maxFeatureBytes} characters`]
  return featureName.test(feature) ? [] : [`${must} ${shape}`]
}
