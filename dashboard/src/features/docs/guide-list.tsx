import { Link, useLocation } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { cx } from '../../lib/cx.ts'
import { useLanguage } from '../../lib/texts.ts'
import { GROUPS, type GuideEntry } from './content.ts'
import { chooseVersion, findOperation, guides, operations, tags } from './docs-queries.ts'
import { useDocsTexts } from './docs-texts.ts'

const ITEM =
  'flex min-h-7 items-center rounded-control px-2 py-1 text-text-2 hover:bg-hover hover:text-text max-tablet:min-h-11'
const CURRENT = 'bg-selected font-medium text-text'
const PART =
  'flex min-h-6 items-center rounded-control px-2 py-0.5 text-meta text-text-2 hover:bg-hover hover:text-text max-tablet:min-h-11'

/** The guides by group; below the open one its headings, below the reference its operations. */
export function GuideList() {
  const t = useDocsTexts()
  const { pathname } = useLocation()
  const slug = /^\/docs\/([^/]+)\/?$/.exec(pathname)?.[1]
  const isReference = /^\/docs\/reference(?:\/|$)/.test(pathname)
  return (
    <>
      {GROUPS.map((group) => (
        <Group key={group} name={t(group)}>
          {guides
            .filter((guide) => guide.group === group)
            .map((guide) => (
              <GuideItem key={guide.slug} guide={guide} isCurrent={guide.slug === slug} />
            ))}
        </Group>
      ))}
      <Group name={t('reference')}>
        <li>
          <Link
            to="/docs/reference"
            aria-current={slug === 'reference' ? 'page' : undefined}
            className={cx(ITEM, isReference && CURRENT)}
          >
            {t('operations', { count: operations.length })}
          </Link>
          {isReference && <Operations />}
        </li>
      </Group>
    </>
  )
}

function Group({ name, children }: { name: string; children: ReactNode }) {
  return (
    <section className="mb-4">
      <h2 className="px-2 pb-1 text-meta font-medium text-text-3">{name}</h2>
      <ul>{children}</ul>
    </section>
  )
}

function GuideItem({ guide, isCurrent }: { guide: GuideEntry; isCurrent: boolean }) {
  const { language: own } = useLanguage()
  const { search } = useLocation()
  const wanted = isCurrent && 'language' in search && search.language ? search.language : own
  const language = chooseVersion(guide, wanted)
  const version = guide.versions[language]
  if (!version) return null
  return (
    <li>
      <Link
        to="/docs/$guide"
        params={{ guide: guide.slug }}
        aria-current={isCurrent ? 'page' : undefined}
        lang={language}
        className={cx(ITEM, isCurrent && CURRENT)}
      >
        {version.title}
      </Link>
      {isCurrent && (
        <ul className="my-1 ml-3 border-l border-line pl-1" lang={language}>
          {version.headings.map(({ id, title }) => (
            <li key={id}>
              <Link to="." search={(previous) => previous} hash={id} className={PART}>
                {title}
              </Link>
            </li>
          ))}
        </ul>
      )}
    </li>
  )
}

function Operations() {
  const { pathname } = useLocation()
  const open = findOperation(pathname.split('/').at(-1) ?? '')
  return (
    <div lang="en" className="my-1 ml-3 border-l border-line pl-1">
      {tags.map(({ name }) => (
        <details key={name} open={open?.tag === name}>
          <summary className={PART}>{name}</summary>
          <ul className="ml-2">
            {operations
              .filter(({ tag }) => tag === name)
              .map(({ id, summary }) => (
                <li key={id}>
                  <Link
                    to="/docs/reference/$operation"
                    params={{ operation: id }}
                    aria-current={id === open?.id ? 'page' : undefined}
                    className={cx(PART, id === open?.id && CURRENT)}
                  >
                    {summary}
                  </Link>
                </li>
              ))}
          </ul>
        </details>
      ))}
    </div>
  )
}
