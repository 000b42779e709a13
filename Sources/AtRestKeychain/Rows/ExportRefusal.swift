/// The cause of a refusal that no authentication can change.
package struct ExportRefusal: Error {}
