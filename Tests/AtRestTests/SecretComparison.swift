import AtRest

/// Returns true if both hold the same bytes. Macros accept no noncopyable arguments.
func isSame(_ a: SecretBox, _ b: SecretBox) -> Bool { a.bytes.isEqual(to: b.bytes) }
