import AtRest

/// Whether both hold the same bytes. Macros take no noncopyable arguments.
func isSame(_ a: SecretBox, _ b: SecretBox) -> Bool { a.bytes.isEqual(to: b.bytes) }
