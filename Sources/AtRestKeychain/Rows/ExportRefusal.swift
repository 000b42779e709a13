/// The cause of an error for a key that cannot be exported. No authentication can change this
/// refusal.
package struct ExportRefusal: Error {}
