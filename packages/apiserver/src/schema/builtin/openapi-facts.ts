/** What the OpenAPI documents of a real API server say beyond the fields of definitions. */
export interface OpenApiFacts {
  /** By definition: names of fields whose default is zero, and `name=JSON` for other defaults; a space between. */
  readonly defaults: Readonly<Record<string, string>>
  /** By definition and field: the definition that is referred to and says nothing of its shape. */
  readonly references: Readonly<Record<string, Readonly<Record<string, string>>>>
  /** By definition: fields whose reference is not wrapped, with a space between. */
  readonly bareReferences: Readonly<Record<string, string>>
  /** By definition: how its fields together merge. */
  readonly mapTypes: Readonly<Record<string, string>>
  /** By definition. */
  readonly unions: Readonly<Record<string, readonly object[]>>
  /** Group versions that have DeleteOptions and WatchEvent of their own, with a space between. */
  readonly optionVersions: string
  /** Resources such as `v1/pods` whose delete answers with the object, with a space between. */
  readonly returnsDeleted: string
  /** By subresource that is a stream or text, such as `v1/pods/exec`: `name:type` of what is asked in the query, with a space between. */
  readonly parameters: Readonly<Record<string, string>>
  /**
   * Under which name version 2 lists a parameter, by `name` or, of one in the path, `{name}`; after `patch ` or a subresource's `pods/exec `
   * where it is another one there.
   */
  readonly sharedParameters: Readonly<Record<string, string>>
}
