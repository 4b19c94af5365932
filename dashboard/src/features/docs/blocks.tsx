import { Link } from '@tanstack/react-router'
import { createElement, Fragment, type ReactNode } from 'react'
import { useTheme } from '../../lib/theme.ts'
import { CodeView, ExampleActions } from './code-view.tsx'
import type { Block, Guide, Inline, Target } from './content.ts'
import { findOperation } from './docs-queries.ts'
import { useDocsTexts } from './docs-texts.ts'

type Files = Guide['files']

export const NO_FILES: Files = {}
/** Before the id of a heading, so that none is that of another element of the page. */
const SECTION = 'section-'

export function findHeading(id: string): HTMLElement | null {
  return document.getElementById(SECTION + id)
}

export function Blocks({ blocks, files }: { blocks: readonly Block[]; files: Files }) {
  return blocks.map((block, position) => <BlockView key={position} block={block} files={files} />)
}

function BlockView({ block, files }: { block: Block; files: Files }) {
  switch (block.kind) {
    case 'heading':
      return <Heading block={block} files={files} />
    case 'paragraph':
      return (
        <p {...mark(block.operation)}>
          <Inlines inlines={block.text} files={files} />
        </p>
      )
    case 'list':
      return <List block={block} files={files} />
    case 'table':
      return <Table block={block} files={files} />
    case 'image':
      return <Picture block={block} files={files} />
    case 'code':
      return (
        <div className="flex min-w-0 flex-col gap-2" {...mark(block.operation)}>
          <CodeView parts={block.parts} language={block.language} />
          {block.operation !== undefined && (
            <>
              <ExampleActions parts={block.parts} />
              <OperationLine id={block.operation} />
            </>
          )}
        </div>
      )
  }
}

/** The page reads from here which operation the text in view is about. */
function mark(operation: string | undefined) {
  return operation === undefined ? {} : { 'data-operation': operation }
}

/** A heading leads to itself, so that its address can be copied. */
function Heading({ block: { level, id, text }, files }: { block: Block & { kind: 'heading' }; files: Files }) {
  const looks = level <= 2 ? 'mt-4 text-dialog' : 'mt-2 text-section'
  return createElement(
    `h${Math.min(6, Math.max(2, level))}`,
    { id: SECTION + id, className: `scroll-mt-4 font-semibold text-text ${looks}` },
    <Link to="." search={(previous) => previous} hash={id} className="hover:text-accent [&_code]:text-[1em]">
      <Inlines inlines={text} files={files} />
    </Link>,
  )
}

function List({ block: { start, items }, files }: { block: Block & { kind: 'list' }; files: Files }) {
  const looks = 'ml-5 flex flex-col gap-2 marker:text-text-3'
  const children = items.map((item, position) => (
    <li key={position}>
      <div className="flex min-w-0 flex-col gap-2">
        <Blocks blocks={item} files={files} />
      </div>
    </li>
  ))
  if (start === undefined) return <ul className={`${looks} list-disc`}>{children}</ul>
  return (
    <ol start={start} className={`${looks} list-decimal`}>
      {children}
    </ol>
  )
}

function Table({ block: { head, rows }, files }: { block: Block & { kind: 'table' }; files: Files }) {
  const t = useDocsTexts()
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be within reach of the keyboard.
    <section tabIndex={0} aria-label={t('table')} className="overflow-x-auto">
      <table className="w-full min-w-120 border-collapse text-left">
        <thead>
          <tr className="border-b border-line-2">
            {head.map((cell, column) => (
              <th key={column} scope="col" className="py-2 pr-4 align-bottom text-meta font-medium text-text-3">
                <Inlines inlines={cell} files={files} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, position) => (
            <tr key={position} className="border-b border-line">
              {row.map((cell, column) => (
                <td key={column} className="py-2 pr-4 align-top">
                  <Inlines inlines={cell} files={files} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

function Picture({ block: { light, dark, text }, files }: { block: Block & { kind: 'image' }; files: Files }) {
  const { isDark } = useTheme()
  const source = files[isDark ? dark : light]
  return (
    <img src={source} alt={text} loading="lazy" className="max-w-full self-start rounded-card border border-line" />
  )
}

/** Leads to the entry of the operation on a page that has no room for it beside the text. */
function OperationLine({ id }: { id: string }) {
  const operation = findOperation(id)
  if (!operation) return null
  return (
    <Link
      to="/docs/reference/$operation"
      params={{ operation: id }}
      className="flex flex-wrap items-center gap-x-2 text-text-2 hover:text-text wide:hidden"
    >
      <code className="font-mono text-meta break-all">
        <span className="text-accent">{operation.method}</span> {operation.path}
      </code>
      <span className="text-accent">{operation.summary}</span>
    </Link>
  )
}

export function Inlines({ inlines, files = NO_FILES }: { inlines: readonly Inline[]; files?: Files }) {
  return inlines.map((inline, position) => <Fragment key={position}>{toElement(inline, files)}</Fragment>)
}

function toElement(inline: Inline, files: Files): ReactNode {
  if (typeof inline === 'string') return inline
  if ('code' in inline) return <code className="font-mono text-[0.92em] break-words text-text">{inline.code}</code>
  if ('strong' in inline) {
    return (
      <strong className="font-semibold text-text">
        <Inlines inlines={inline.strong} files={files} />
      </strong>
    )
  }
  if ('em' in inline) {
    return (
      <em>
        <Inlines inlines={inline.em} files={files} />
      </em>
    )
  }
  return (
    <TargetLink target={inline.link} files={files}>
      <Inlines inlines={inline.text} files={files} />
    </TargetLink>
  )
}

const LINK =
  'text-accent underline decoration-accent-line underline-offset-2 hover:decoration-accent [&_code]:text-accent'

function TargetLink({ target, files, children }: { target: Target; files: Files; children: ReactNode }) {
  if ('guide' in target) {
    return (
      <Link to="/docs/$guide" params={{ guide: target.guide }} hash={target.heading ?? ''} className={LINK}>
        {children}
      </Link>
    )
  }
  if ('operation' in target) {
    return (
      <Link to="/docs/reference/$operation" params={{ operation: target.operation }} className={LINK}>
        {children}
      </Link>
    )
  }
  const href = 'file' in target ? files[target.file] : target.url
  return (
    <a href={href} target="_blank" rel="noreferrer" className={LINK}>
      {children}
    </a>
  )
}
